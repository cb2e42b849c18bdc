#!/usr/bin/env python3
"""Times the conversion of a character to .glb, with and without its mesh: 1,000 triangles, two textures and 94 clips.

    bench/dressed.py TOOL

The figure is the sample's with finer faces. Its textures have 256 x 256 texels in noisy patches. Prints the medians of
RUNS runs of each, in turns, and the ratio. The machine should have nothing else to do.
"""
import json, os, random, statistics, struct, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..', 'samples', 'ff7'))
import body                                        # noqa: E402
from batches import made_clips                     # noqa: E402

RUNS, SIDE, CLIPS, ROTATIONS = 100, 256, 94, 21


def picture(seed):
    """A texture of 64 patches, each of one colour. One in eight texels has a slightly different colour."""
    rng, letters = random.Random(seed), 'abcdefghijklmnop'
    patches = [rng.randrange(16) for _ in range(64)]
    rows = [''.join(letters[patches[y // 32 * 8 + x // 32] ^ (rng.randrange(8) == 0)] for x in range(SIDE)) for y in range(SIDE)]
    return body.texture(rows, {c: (16 * i, 255 - 16 * i, rng.randrange(256), 255) for i, c in enumerate(letters)}, 0)


def finer(faces):
    """Divides every second face without a texture into triangles around its middle."""
    for i, (corners, shades, uv) in enumerate(faces):
        if i % 2 or uv:
            yield corners, shades, uv
            continue
        middle = tuple(sum(c[k] for c in corners) / len(corners) for k in range(3))
        for k in range(len(corners)):
            yield [corners[k - 1], corners[k], middle], shades[:3], None


def make(folder):
    for name, groups in body.SHAPES.items():
        body.SHAPES[name] = [(list(finer(faces)), texture) for faces, texture in groups]
    import generate
    with open(os.path.join(HERE, '..', 'samples', 'ff7', 'hraa'), 'rb') as f:
        skeleton = f.read()
    files = dict(generate.battle_parts(), hraa=skeleton, hrda=struct.pack('<I', CLIPS) + b''.join(made_clips(CLIPS, 1, ROTATIONS)))
    files.update(('hra' + 'cd'[i], picture(i)) for i in range(2))
    for name, data in files.items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)


def contents(path):
    with open(path, 'rb') as f:
        data = f.read()
    model = json.loads(data[20:20 + struct.unpack_from('<I', data, 12)[0]])
    triangles = sum(model['accessors'][p['indices']]['count'] // 3 for m in model.get('meshes', []) for p in m['primitives'])
    return triangles, len(model.get('images', [])), len(model['animations'])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        make(folder)
        out = os.path.join(folder, 'out.glb')

        def seconds(*options):
            start = time.perf_counter()
            subprocess.run([sys.argv[1], 'convert', os.path.join(folder, 'hrda'), '-o', out, '--force', '-q', *options], check=True)
            return time.perf_counter() - start
        seconds()
        print('%d triangles, %d images, %d clips' % contents(out))
        times = [(seconds(), seconds('--no-mesh')) for _ in range(RUNS)]
        dressed, bare = (statistics.median(column) for column in zip(*times))
        print('%.1f ms, without the mesh %.1f ms: %.2f times the time' % (dressed * 1e3, bare * 1e3, dressed / bare))


if __name__ == '__main__':
    main()
