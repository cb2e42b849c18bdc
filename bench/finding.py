#!/usr/bin/env python3
"""Measures CPU time and memory of `find`, `list -r` and `info`, and if requested of `convert`, on an FF9.IMG of 900 models.

    bench/finding.py TOOL [OTHER]

Every file contains the sample's person with 3 clips, its picture and its place. Prints the medians of RUNS runs of each,
in turns, and the ratios to `info`. OTHER is an earlier version of the command: `convert -j 1` is then measured with both
versions.
The machine should have nothing else to do.
"""
import os, resource, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..', 'samples', 'archives'))
import generate                                    # noqa: E402

RUNS, MODELS = 5, 900


def cpu_seconds(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, words
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    tool, others = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, 'FF9.IMG')
        hero = generate.sample('ff9', 'hero.ff9db')
        with open(archive, 'wb') as f:
            f.write(generate.img([[]] * 10 + [[(i, hero) for i in range(MODELS // 4)]] * 4))
        ways = {'info': ('info', archive), 'find': ('find', 'id:1002', archive), 'list -r': ('list', '-r', archive)}
        outputs = {name: cpu_seconds(tool, *words)[1] for name, words in ways.items()}
        print(', '.join('%s: %d lines' % (name, text.count(b'\n')) for name, text in outputs.items()))
        times = [{name: cpu_seconds(tool, *words)[0] for name, words in ways.items()} for _ in range(RUNS)]
        medians = {name: statistics.median(t[name] for t in times) for name in ways}
        print('; '.join('%s %.2f s, %.2f times info' % (name, s, s / medians['info']) for name, s in medians.items()))
        if others:
            out = os.path.join(folder, 'out')
            runs = [[cpu_seconds(each, 'convert', '-q', '--force', '-j', '1', archive, '-o', out + '/')[0] for each in [tool] + others]
                    for _ in range(RUNS)]
            new, old = (statistics.median(run[i] for run in runs) for i in range(2))
            print('convert %.2f s, %.2f times the time of %s' % (new, new / old, others[0]))
        print('at most %d MiB' % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10))


main()
