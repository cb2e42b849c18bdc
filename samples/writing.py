"""Shared code of the samples' generators, besides the person (figure.py): bits, numbers, and files. Python 3 standard
library only.
"""
import json, os, struct


# ------------------------------------------------------------------ bits and numbers
class HighBits:
    """Writes bits, beginning with the highest bit of every byte"""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, width):
        self.value = self.value << width | (value & ((1 << width) - 1))
        self.count += width

    def bytes(self):
        fill = -self.count % 8
        return (self.value << fill).to_bytes((self.count + fill) // 8, 'big')


class LowBits:
    """Writes bits, beginning with the lowest bit of words. `word` is the word's format in struct: '>I', '<I' or 'B'"""

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
    """Writes the expected positions of all joints, in glTF's axes at scale 1. samples_test.py and others compare them.

        inputs: {file in samples/: {name of the converted clip: name below}, or [] for the rest pose}; `file#id` is a model
        clips: [{name, frames: [{time, positions}], ..}], with positions in the order of `joints`; rest: positions in the rest pose
    """
    with open(path, 'w') as f:
        told = dict(inputs=inputs, rate=rate, joints=joints, clips=clips)
        if rest:
            told['rest'] = [[round(v, 6) for v in p] for p in rest]
        json.dump(told, f, separators=(',', ':'))
        f.write('\n')


def write_numbered(path, sample, rate, bones, animations, skeleton=None, also=()):
    """write_expected() for bone000, bone001, .. and clips <stem>_000, .. of a sample.

        animations: positions of all joints per frame; skeleton: a sample that gets their first frame as pose; also: archives with that sample
    """
    stem = os.path.basename(sample).rsplit('.', 1)[0]
    clips = [dict(name='%s_%03d' % (stem, i), frames=frames_of(places, rate)) for i, places in enumerate(animations)]
    inputs = {**{where: {c['name']: c['name'] for c in clips} for where in (sample, *also)}, **({skeleton: {}} if skeleton else {})}
    write_expected(path, inputs, rate, ['bone%03d' % j for j in range(bones)], clips, animations[0][0] if skeleton else ())
