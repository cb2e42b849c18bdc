#!/usr/bin/env python3
"""Times `encode --into` for an unedited pack of 94 clips, against the conversion to .glb that it undoes.

    bench/back.py TOOL

Measures the pack alone, and the pack with the sample's skeleton, mesh and textures beside it. Runs both commands RUNS times
in turns. Prints the mean processor time of each, and the ratio.
"""
import os, resource, shutil, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, '..', 'samples', 'ff7')
sys.dont_write_bytecode = True
sys.path.insert(0, SAMPLES)
from batches import made_clips                     # noqa: E402

RUNS, CLIPS, ROTATIONS = 60, 94, 21                # rotations of the sample's 20 bones and its root


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(tool, folder, what):
    pack, glb, out = (os.path.join(folder, name) for name in ('hrda', 'x.glb', 'new'))
    with open(pack, 'wb') as f:
        f.write(struct.pack('<I', CLIPS) + b''.join(made_clips(CLIPS, 1, ROTATIONS)))
    there = back = 0
    for _ in range(RUNS):
        if os.path.exists(glb):
            os.remove(glb)
        there += seconds(tool, 'convert', pack, '-o', glb)
        back += seconds(tool, 'encode', glb, '--into', pack, '-o', out, '--force')
    with open(pack, 'rb') as before, open(out, 'rb') as after:
        assert before.read() == after.read(), 'the way back changed something'
    print('%s: there %.1f ms, back %.1f ms: %.2f times the time' % (what, 1000 * there / RUNS, 1000 * back / RUNS, back / there))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        measure(tool, folder, 'the pack alone')
        for name in os.listdir(SAMPLES):
            if len(name) == 4 and name.startswith('hr') and name != 'hrda':
                shutil.copy(os.path.join(SAMPLES, name), folder)
        measure(tool, folder, 'with its skeleton, mesh and textures')


main()
