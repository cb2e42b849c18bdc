"""Reads the content of a `preview` page as drawing/packed_glb.h describes it."""
import json, math, os, re, struct, zlib

import gltf_files


def bytes_of(text):
    """seven bits per character, the highest first"""
    bits = ''.join(format(ord(c) & 127, '07b') for c in text)
    return int('1' + bits[:len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8 + 1, 'big')[1:]


def unpacked(block):
    return zlib.decompress(block[1:]) if block[0] == 1 else block[1:]


def floats_of(gltf):
    """-> start, width, count and whether it is a rotation, of every list of floats of the chunk"""
    clips = {s[k] for a in gltf.get('animations', []) for s in a['samplers'] for k in ('input', 'output')}
    found = {}
    for i, accessor in enumerate(gltf['accessors']):
        view = gltf['bufferViews'][accessor['bufferView']]
        width = gltf_files.WIDTH[accessor['type']]
        start = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        if accessor['componentType'] == 5126 and start % 4 == 0:
            found.setdefault(start, (start, width, accessor['count'], i in clips and width == 4))
    return sorted(found.values())


def words_of(data, start, count):
    for i in range(count):
        word = sum(data[start + plane * count + i] << 8 * plane for plane in range(4))
        yield word >> 1 ^ (0xffffffff if word & 1 else 0)


def number(word):
    return struct.unpack('<f', struct.pack('<I', word))[0]


def arranged(data, start, size, floats):
    """a part of the chunk in its original order"""
    floats = [f for f in floats if start <= f[0] and f[0] + 4 * f[1] * f[2] <= start + size]
    rotations = [f for f in floats if f[3]]
    predicted = sum(f[2] for f in rotations)
    words = sum(f[1] * f[2] for f in floats)
    largest = iter(data[:len(rotations)])
    errors = words_of(data, len(rotations), predicted)
    differences = words_of(data, len(rotations) + 4 * predicted, words - predicted)
    rest, at, made = data[len(rotations) + 4 * words:], 0, b''
    for first, width, count, is_rotation in floats:
        gap = first - start - len(made)
        made, at = made + rest[at:at + gap], at + gap
        chosen, before, rows = next(largest) if is_rotation else None, [0] * width, []
        for i in range(count):
            row = [None if k == chosen else (before[k] + next(differences)) & 0xffffffff for k in range(width)]
            if is_rotation:
                left = 1.0
                for k in range(4):
                    left -= number(row[k]) ** 2 if k != chosen else 0
                root = struct.unpack('<I', struct.pack('<f', math.copysign(math.sqrt(max(0, left)), -1 if before[chosen] >> 31 else 1)))[0]
                row[chosen] = (root + next(errors)) & 0xffffffff
            rows.append(struct.pack('<%dI' % width, *row))
            before = row
        made += b''.join(rows)
    return made + rest[at:]


def glb_of(parts, blocks):
    """a .glb of the numbers and sizes of its parts"""
    text = unpacked(blocks[parts[0][0]])
    floats = floats_of(json.loads(text)) if len(parts) > 1 else []
    chunk, start = b'', 0
    for block, size in parts[1:]:
        chunk += arranged(unpacked(blocks[block]), start, size, floats)
        start += size
    return gltf_files.glb_of(text, chunk)


def raw_data(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))


def blocks_of(page):
    return [bytes_of(text) for text in re.findall(r'<script type="text/plain">(.*?)</script>', page, re.S)]


def data_of(page):
    """-> the items of the page; characters have a file `glb`, videos have files `pages`"""
    data, blocks = raw_data(page), blocks_of(page)
    for item in data['items']:
        if 'glb' in item:
            item['glb'] = glb_of(item['glb'], blocks)
        else:
            item['pages'] = [unpacked(blocks[number]) for number in item['pages']]
    return data


def page_of(path):
    with open(path, encoding='utf-8', newline='') as f:
        return f.read()


def url_of(path):
    return 'file://' + os.path.abspath(path)
