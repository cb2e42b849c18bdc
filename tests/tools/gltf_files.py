"""glTF files for tests: parsed, changed like by a program, and written. Python 3 standard library only."""
import json, struct

from geometry import about_x, multiplied
from support import read, write

WIDTH = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}


def parts(glb):
    """-> its JSON, and all bytes after it"""
    size, = struct.unpack_from('<I', glb, 12)
    return json.loads(glb[20:20 + size]), glb[20 + size:]


def glb_around(gltf, rest):
    """of JSON (also as bytes), and the following bytes"""
    text = gltf if isinstance(gltf, bytes) else json.dumps(gltf).encode()
    text += b' ' * (-len(text) % 4)
    return struct.pack('<4s4I', b'glTF', 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest


def glb_of(gltf, data=b''):
    """of JSON (also as bytes), and the bytes of its buffer"""
    data = bytes(data) + bytes(-len(data) % 4)
    return glb_around(gltf, struct.pack('<II', len(data), 0x004E4942) + data if data else b'')


def image_of(scene, number=0):
    """-> the file of an image in the buffer"""
    view = scene.g['bufferViews'][scene.g['images'][number]['bufferView']]
    return scene.blob[view.get('byteOffset', 0):][:view['byteLength']]


class Glb:
    """A file to be changed; by default a new one, with one animation."""

    def __init__(self, path=None):
        self.json = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [], 'accessors': [], 'bufferViews': [],
                     'animations': [{'name': 'walk', 'channels': [], 'samplers': []}]}
        self.data = bytearray()
        if path:
            self.json, rest = parts(read(path))
            self.data += rest[8:]

    def clip(self, name):
        return next(a for a in self.json['animations'] if a['name'] == name)

    def node(self, name):
        return next(i for i, n in enumerate(self.json['nodes']) if n.get('name') == name)

    def new_node(self, name, parent=None, **more):
        self.json['nodes'].append({'name': name, **more})
        index = len(self.json['nodes']) - 1
        if parent is not None:
            self.json['nodes'][parent].setdefault('children', []).append(index)
        return index

    def start(self, accessor):
        """-> the offset of an accessor's values in the buffer"""
        a = self.json['accessors'][accessor]
        return self.json['bufferViews'][a['bufferView']].get('byteOffset', 0) + a.get('byteOffset', 0)

    def floats(self, accessor):
        a = self.json['accessors'][accessor]
        width = WIDTH[a['type']]
        flat = struct.unpack_from('<%df' % (a['count'] * width), self.data, self.start(accessor))
        return list(flat) if width == 1 else [flat[i:i + width] for i in range(0, len(flat), width)]

    def view(self, content):
        """-> the index of a new view"""
        self.data += bytes(-len(self.data) % 4)
        self.json['bufferViews'].append({'buffer': 0, 'byteOffset': len(self.data), 'byteLength': len(content)})
        self.data += content
        return len(self.json['bufferViews']) - 1

    def accessor(self, kind, rows, component=5126, letter='f', **more):
        """-> the index of a new accessor"""
        flat = [v for row in rows for v in row]
        view = self.view(struct.pack('<%d%s' % (len(flat), letter), *flat))
        self.json['accessors'].append({'bufferView': view, 'componentType': component, 'type': kind, 'count': len(rows), **more})
        return len(self.json['accessors']) - 1

    def add(self, values, **more):
        """-> the index of a new accessor of floats"""
        rows = [v if isinstance(v, (tuple, list)) else (v,) for v in values]
        if len(rows[0]) == 1:
            more = {'min': list(min(rows)), 'max': list(max(rows)), **more}
        return self.accessor({1: 'SCALAR', 3: 'VEC3', 4: 'VEC4'}[len(rows[0])], rows, **more)

    def keys(self, clip, joint, path, rate):
        """-> a channel's value at every frame of its clip; constant channels are repeated"""
        a, node = self.clip(clip), self.node(joint)
        frames = 1 + round(rate * max(max(self.floats(s['input'])) for s in a['samplers']))
        for c in a['channels']:
            if c['target'] == {'node': node, 'path': path}:
                s = a['samplers'][c['sampler']]
                times, values = self.floats(s['input']), self.floats(s['output'])
                assert len(times) in (1, 2, frames), (len(times), frames)
                return [tuple(values[min(f, len(values) - 1)]) for f in range(frames)]
        return [tuple(self.json['nodes'][node].get(path, (0, 0, 0, 1) if path == 'rotation' else (0, 0, 0)))] * frames

    def set(self, clip, joint, path, values, rate, style='LINEAR', times=None):
        a, node = self.clip(clip), self.node(joint)
        a['channels'] = [c for c in a['channels'] if c['target'] != {'node': node, 'path': path}]
        self.channel(node, path, self.add(times or [f / rate for f in range(len(values))]), self.add(values), style, a)

    def channel(self, node, path, times, values, style='LINEAR', clip=None):
        """Adds a channel to a clip, by default the first"""
        animation = clip or self.json['animations'][0]
        animation['samplers'].append({'input': times, 'output': values, 'interpolation': style})
        animation['channels'].append({'sampler': len(animation['samplers']) - 1, 'target': {'node': node, 'path': path}})

    def turn(self, clip, joint, rate, frames, degrees=20, **more):
        """Turns a joint in these frames. -> its keys"""
        keys = self.keys(clip, joint, 'rotation', rate)
        for frame in frames:
            keys[frame] = multiplied(keys[frame], about_x(degrees))
        self.set(clip, joint, 'rotation', keys, rate, **more)
        return keys

    def paths(self, clip):
        """-> the joint and the path of every channel of a clip"""
        return [(self.json['nodes'][c['target']['node']]['name'], c['target']['path']) for c in self.clip(clip)['channels']]

    def last(self, clip, part):
        """-> the accessor of the last sampler of a clip, and its index"""
        index = self.clip(clip)['samplers'][-1][part]
        return self.json['accessors'][index], index

    def drop_samplers(self, clip):
        """drops the samplers that no channel of a clip uses"""
        used = sorted({c['sampler'] for c in clip['channels']})
        clip['samplers'] = [clip['samplers'][i] for i in used]
        for channel in clip['channels']:
            channel['sampler'] = used.index(channel['sampler'])

    def drop_extras(self):
        for thing in self.json['animations'] + self.json['scenes']:
            thing.pop('extras', None)

    def lift(self, name='Armature', **more):
        """Adds a node above all others"""
        tops = self.json['scenes'][0]['nodes']
        self.json['nodes'].append({'name': name, 'children': list(tops), **more})
        tops[:] = [len(self.json['nodes']) - 1]

    def bytes(self):
        if self.data:
            self.json.setdefault('buffers', [{}])[0]['byteLength'] = len(self.data)
        return glb_of(self.json, self.data)

    def write(self, path):
        return write(path, self.bytes())
