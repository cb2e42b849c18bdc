#!/usr/bin/env python3
"""Converts all kinds of inputs to glTF in many ways, and checks the files with the Khronos validator."""
import json, os, subprocess, sys, tempfile

from support import DATA, SOURCE, run, write

WAYS = [{'proxy-mesh': True}, {'proxy-mesh': True, 'end-joints': True, 'loop-key': True, 'rest': 'zero'}, {'interpolation': 'step', 'scale': 1},
        {'subdivide': 45, 'rate': 30}, {'no-companion': True, 'proxy-mesh': True}, {'compact': True, 'proxy-mesh': True}]

# Cases that do not work for a mesh alone, or for a file without its companions.
REFUSED = ('--rest zero: there are no joints, so there is no rest pose', ', which is missing', 'this is a battle location, which has no bones')


def inputs():
    for top in (os.path.join(SOURCE, 'samples'), os.path.join(DATA, 'conformance'), os.path.join(DATA, 'motion')):
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if not name.endswith(('.json', '.py', '.md', '.csv')):
                    yield os.path.join(folder, name)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        jobs = []                                      # of one run: a start takes as long as most conversions
        for number, path in enumerate(inputs()):
            output = os.path.join(tmp, '%03d_%s' % (number, os.path.basename(path)))
            if run('convert', path, '-q', '-o', output + '.glb').returncode == 0:  # else it is damaged, or something else
                jobs += [{'schema': 1, 'inputs': [path], 'output': '%s_%d.%s' % (output, way, 'glb' if way else 'gltf'), 'options': options}
                         for way, options in enumerate(WAYS)]
        p = run('convert', write(os.path.join(tmp, 'ways.reanima.json'), json.dumps(jobs)), '-q', '-j', '1')
        refused = [line for line in p.err.splitlines() if line]
        assert all(line.endswith(REFUSED) for line in refused), p.err
        written = sum(name.endswith(('.glb', '.gltf')) for name in os.listdir(tmp))
        print('%d files written' % written)
        sys.stdout.flush()
        assert written == len(jobs) + len(jobs) // len(WAYS) - len(refused) > 1800
        return subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), tmp]).returncode


if __name__ == '__main__':
    sys.exit(main())
