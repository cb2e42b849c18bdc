#!/usr/bin/env python3
"""Writes glTF files of everything that can be converted, in many ways, and lets the Khronos validator look at them."""
import os, subprocess, sys, tempfile

from support import DATA, SOURCE, run

WAYS = [(), ('--proxy-mesh',), ('--proxy-mesh', '--end-joints', '--loop-key', '--rest', 'zero'), ('--interpolation', 'step', '--scale', '1'),
        ('--subdivide', '45', '--rate', '30'), ('--no-companion', '--proxy-mesh'), ('--compact', '--proxy-mesh')]


def inputs():
    for top in (os.path.join(SOURCE, 'samples'), os.path.join(DATA, 'conformance'), os.path.join(DATA, 'motion')):
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if not name.endswith(('.json', '.py', '.md', '.csv')):
                    yield os.path.join(folder, name)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        written = 0
        for number, path in enumerate(inputs()):
            for way, options in enumerate(WAYS):
                suffix = 'gltf' if way == 1 else 'glb'
                p = run('convert', path, '-q', '-o', os.path.join(tmp, '%03d_%d_%s.%s' % (number, way, os.path.basename(path), suffix)), *options)
                written += p.returncode == 0
                if p.returncode != 0:
                    break                              # a damaged file: the same in every way
        print('%d files written' % written)
        sys.stdout.flush()
        return subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), tmp]).returncode


if __name__ == '__main__':
    sys.exit(main())
