"""Shared code of the samples' generators, besides the person (figure.py): bits, numbers, and files. Python 3 standard
library only.
"""
import json, os, struct


# ------------------------------------------------------------------ bits and numbers
class HighBits:
    """from the highest bit of every byte on"""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, width):
        self.value = self.value << width | (value & ((1 << width) - 1))
        self.count += width

    def bytes(self):
        fill = -self.count % 8
        return (self.value << fill).to_bytes((self.count + fill) // 8, 'big')


class LowBits:
    """from the lowest bit of words on; `word` is what struct calls one: '>I', '<I' or 'B'"""

    def __init__(self, word):
        self.word, self.size, self.value, self.count = word, 8 * struct.calcsize(word), 0, 0

    def put(self, value, width):
        self.value |= (value & ((1 << width) - 1)) << self.count
        self.count += width

    def bytes(self):
        words = -(-self.count // self.size)
        return b''.join(struct.pack(self.word, self.value >> self.size * i & ((1 << self.size) - 1)) for i in range(words))


def signed(value, width):
    """the lowest bits as two's complement"""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def f32(v):
    """the nearest float of 32 bits"""
    return struct.unpack('<f', struct.pack('<f', v))[0]


def padded(data, size=4, fill=b'\0'):
    """to a multiple of `size`"""
    return data + fill * (-len(data) % size)


# ------------------------------------------------------------------ files
def write_files(folder, files):
    """files: name -> bytes"""
    for name, data in files.items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)


def frames_of(places, rate, digits=4):
    """places: positions of all joints per frame -> the `frames` of a clip"""
    return [dict(time=f / rate, positions=[[round(v, digits) for v in p] for p in at]) for f, at in enumerate(places)]


def write_expected(path, inputs, rate, joints, clips, rest=()):
    """where every joint must be, in glTF's axes at scale 1: what samples_test.py and others compare

    inputs: {file in samples/: {name of the clip that comes out: name below}, or [] for the rest pose}; `file#id` is a model
    clips: [{name, frames: [{time, positions}], ..}], positions in the order of `joints`; rest: positions, too"""
    with open(path, 'w') as f:
        told = dict(inputs=inputs, rate=rate, joints=joints, clips=clips)
        if rest:
            told['rest'] = [[round(v, 6) for v in p] for p in rest]
        json.dump(told, f, separators=(',', ':'))
        f.write('\n')


def write_numbered(path, sample, rate, bones, animations, skeleton=None, also=()):
    """write_expected() for bone000, bone001, .. and clips <stem>_000, .. of a sample

    animations: positions of all joints per frame; skeleton: a sample that stands as they begin; also: archives with that sample"""
    stem = os.path.basename(sample).rsplit('.', 1)[0]
    clips = [dict(name='%s_%03d' % (stem, i), frames=frames_of(places, rate)) for i, places in enumerate(animations)]
    inputs = {**{where: {c['name']: c['name'] for c in clips} for where in (sample, *also)}, **({skeleton: {}} if skeleton else {})}
    write_expected(path, inputs, rate, ['bone%03d' % j for j in range(bones)], clips, animations[0][0] if skeleton else ())
