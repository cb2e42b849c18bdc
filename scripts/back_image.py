#!/usr/bin/env python3
"""Makes docs/images/back.png: a clip of the sample pack before and after an edit that goes back into the
pack, side by side in the page of `preview`, 1100 x 620. The edit raises the left arm in all frames.

    scripts/back_image.py TOOL
"""
import json, math, os, shutil, struct, subprocess, sys, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tests', 'tools'))
from browser import Chromium                        # noqa: E402

CLIP, JOINT = 'hrda_001', 'bone005'                 # the left upper arm
TURN = (math.sin(math.radians(-55)), 0.0, 0.0, math.cos(math.radians(-55)))
LINK = '#hrda/hrda_001&t=0.3&with=hrda~2/hrda_001'


def times(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz,
            aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz)


def turned(glb):
    """The file with one joint turned in all keys of one clip."""
    size = struct.unpack_from('<I', glb, 12)[0]
    scene, data = json.loads(glb[20:20 + size]), bytearray(glb[28 + size:])
    clip = next(a for a in scene['animations'] if a['name'] == CLIP)
    for channel in clip['channels']:
        target = channel['target']
        if target['path'] != 'rotation' or scene['nodes'][target['node']]['name'] != JOINT:
            continue
        accessor = scene['accessors'][clip['samplers'][channel['sampler']]['output']]
        at = scene['bufferViews'][accessor['bufferView']].get('byteOffset', 0) + accessor.get('byteOffset', 0)
        for key in range(accessor['count']):
            struct.pack_into('<4f', data, at + 16 * key, *times(struct.unpack_from('<4f', data, at + 16 * key), TURN))
    return glb[:28 + size] + bytes(data)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in ('before', 'after'):
            shutil.copytree(os.path.join(ROOT, 'samples', 'ff7'), os.path.join(folder, name))
        before, after = (os.path.join(name, 'hrda') for name in ('before', 'after'))
        edited = os.path.join(folder, 'edited.glb')
        subprocess.run([tool, 'convert', before, '-o', edited, '-q'], check=True, cwd=folder)
        with open(edited, 'rb') as f:
            glb = f.read()
        with open(edited, 'wb') as f:
            f.write(turned(glb))
        subprocess.run([tool, 'encode', edited, '--into', before, '-o', after, '--force'], check=True, cwd=folder)
        page = os.path.join(folder, 'back.html')
        subprocess.run([tool, 'preview', before, after, '-o', page, '-q'], check=True, cwd=folder)
        browser = Chromium(folder, (1100, 620))
        browser.open('file://' + page + LINK)
        browser.until('Boolean(window.reanima && reanima.page && reanima.page.places.length === 2)')
        picture = browser.picture()
        browser.close()
    with open(os.path.join(ROOT, 'docs', 'images', 'back.png'), 'wb') as f:
        f.write(picture)


main()
