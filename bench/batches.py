#!/usr/bin/env python3
"""Times the conversion of a folder of 400 generated Final Fantasy VII packs (half of 94 clips, half of 32) to .glb.

    bench/batches.py TOOL              -j1 against -j2, and the peak memory
    bench/batches.py TOOL OTHER        also the processor time of both programs, run in turns

Prints the best of five runs of each, and the ratios. The packs contain no data of the game.
"""
import os, random, resource, shutil, struct, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..', 'samples', 'ff7'))
from generate import entry

PACKS, RUNS, ROTATIONS, FRAMES = 400, 5, 23, 20


def made_clips(count, seed, rotations=ROTATIONS):
    """Stored animations with small changes of every angle, like the game's own."""
    rng, clips = random.Random(seed), []
    for _ in range(count):
        angles, frames = [[0, 0, 0] for _ in range(rotations)], []
        for f in range(FRAMES):
            angles = [[a + rng.randint(-16, 16) for a in triple] for triple in angles]
            frames.append(([f, -466, 0], angles))
        clips.append(entry(frames, 0))
    return clips


def make_packs(folder):
    clips = made_clips(94, 1)
    for i in range(PACKS):
        count = 94 if i % 2 else 32
        first = i % 31
        chosen = [clips[(first + c) % 94] for c in range(count)]
        with open(os.path.join(folder, '%c%cda' % (97 + i // 26, 97 + i % 26)), 'wb') as f:
            f.write(struct.pack('<I', count) + b''.join(chosen))


def run(tool, packs, out, threads):
    """Returns the processor time and the elapsed time in seconds, and the peak memory in MiB."""
    shutil.rmtree(out, ignore_errors=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    p = subprocess.Popen([tool, 'convert', packs, '-o', out + '/', '-q', '-j', str(threads)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, 'the conversion failed'
    assert len(os.listdir(out)) == PACKS, 'not every pack was converted'
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    tools = sys.argv[1:]
    if len(tools) not in (1, 2):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        packs, out = os.path.join(folder, 'packs'), os.path.join(folder, 'out')
        os.mkdir(packs)
        make_packs(packs)
        found = {(tool, threads): [] for tool in tools for threads in (1, 2)}
        for _ in range(RUNS):
            for key, runs in found.items():
                runs.append(run(key[0], packs, out, key[1]))
        best = {key: [min(column) for column in zip(*runs)] for key, runs in found.items()}
        for (tool, threads), (cpu, wall, _) in best.items():
            peak = max(r[2] for r in found[tool, threads])
            print('%s -j%d: %.2f s of processor time, %.2f s elapsed, at most %.0f MiB' % (tool, threads, cpu, wall, peak))
        print('-j2 is %.2f times as fast as -j1' % (best[tools[0], 1][1] / best[tools[0], 2][1]))
        if len(tools) == 2:
            print('the first program needs %.2f times the processor time of the second' % (best[tools[0], 1][0] / best[tools[1], 1][0]))


if __name__ == '__main__':
    main()
