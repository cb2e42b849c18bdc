#!/usr/bin/env python3
"""Writes small animations of three joints beside itself: a battle pack and a field animation of Final Fantasy VII, and
a block of Final Fantasy IX. The encoders are those of the samples' generators."""
import importlib.util, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, '..', '..', '..', 'samples')
sys.dont_write_bytecode = True
sys.path.insert(0, SAMPLES)


def generator(game):
    spec = importlib.util.spec_from_file_location('generate_' + game, os.path.join(SAMPLES, game, 'generate.py'))
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(1, os.path.join(SAMPLES, game))
    spec.loader.exec_module(module)
    return module


def frames(count, step):
    """-> [(translation, angles of three joints)]"""
    return [([10 * f, -100 + f, 3 * f], [[step * f * (joint + 1) % 4096, (100 * joint + step * f) % 4096, -step * f % 4096] for joint in range(3)])
            for f in range(count)]


def field(rows):
    out = struct.pack('<3I4B5I', 1, len(rows), 2, 1, 0, 2, 0, 0, 0, 0, 0, 0)
    for (x, y, z), triples in rows:
        degrees = [[a * 360 / 4096 for a in triple] for triple in triples]
        out += struct.pack('<6f', *degrees[0], x / 64, -y / 64, z / 64) + b''.join(struct.pack('<3f', *t) for t in degrees[1:])
    return out


def main():
    ff7, ff9 = generator('ff7'), generator('ff9')
    made = {'twda': struct.pack('<I', 2) + ff7.entry(frames(3, 64), 0) + ff7.entry(frames(2, 128), 0),
            'twaa.a': field(frames(3, 64)),
            'tw.ff9anim': ff9.animation_block(frames(3, 64))}
    for name, data in made.items():
        with open(os.path.join(HERE, name), 'wb') as f:
            f.write(data)


if __name__ == '__main__':
    main()
