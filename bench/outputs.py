#!/usr/bin/env python3
"""Times the conversion of a pack of 94 clips to 94 BVH files, and to 94 VRM animations, against the conversion to one .glb.

    bench/outputs.py TOOL

Measures three cases: with the sample's skeleton beside the pack; with its mesh and textures, too; and with the sword's motion,
too. Files are kept in memory if the system can do that, since the speed of a disk depends on what was removed from it
before. Prints the processor time of RUNS runs of each, in turns, and the ratios.
"""
import os, resource, shutil, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, '..', 'samples', 'ff7')
sys.dont_write_bytecode = True
sys.path.insert(0, SAMPLES)
from generate import attack, entry, idle, spin, stored_animation, walk  # noqa: E402

RUNS, CLIPS, FRAMES = 40, 94, 20


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_pack(folder, weapon):
    """the sample's moves, repeated; the skeleton's file states their number"""
    moves = [stored_animation(move, FRAMES, 0) for move in (idle, walk, attack, spin)]
    tracks = [entry(move[track], 0) for track in range(2 if weapon else 1) for move in (moves * CLIPS)[:CLIPS]]
    with open(os.path.join(folder, 'hrda'), 'wb') as f:
        f.write(struct.pack('<I', len(tracks)) + b''.join(tracks))
    with open(os.path.join(SAMPLES, 'hraa'), 'rb') as f:
        skeleton = bytearray(f.read())
    for place in (7, 8, 10):                       # numbers of animations: all, the body's, the weapon's
        struct.pack_into('<I', skeleton, 4 * place, CLIPS)
    with open(os.path.join(folder, 'hraa'), 'wb') as f:
        f.write(skeleton)


def measure(tool, folder, what):
    spent = {'glb': 0, 'bvh': 0, 'vrma': 0}
    for _ in range(RUNS):
        for form in spent:
            out = os.path.join(folder, 'out') + '/'
            spent[form] += seconds(tool, 'convert', os.path.join(folder, 'hrda'), '--as', form, '-o', out)
            made = len(os.listdir(out))
            assert made == (1 if form == 'glb' else CLIPS), '%d files' % made
            shutil.rmtree(out)
    for form in ('bvh', 'vrma'):
        print('%s: .glb %.1f ms, %d files .%s %.1f ms: %.2f times the time' % (
            what, 1000 * spent['glb'] / RUNS, CLIPS, form, 1000 * spent[form] / RUNS, spent[form] / spent['glb']))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(dir='/dev/shm' if os.path.isdir('/dev/shm') else None) as folder:
        write_pack(folder, weapon=False)
        measure(tool, folder, 'with its skeleton')
        for name in os.listdir(SAMPLES):
            if len(name) == 4 and name.startswith('hr') and name not in ('hrda', 'hraa'):
                shutil.copy(os.path.join(SAMPLES, name), folder)
        measure(tool, folder, 'with its mesh and textures, too')
        write_pack(folder, weapon=True)
        measure(tool, folder, 'with the sword\'s motion, too')


main()
