# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the .glb files that reanima writes: joints, clips, meshes. Needs NumPy, no Blender.

Units and axes are those of glTF: metres, +Y up, quaternions x, y, z, w.
"""
import json
import struct

import numpy

TYPES = {5120: 'i1', 5121: 'u1', 5122: '<i2', 5123: '<u2', 5125: '<u4', 5126: '<f4'}
WIDTHS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4, 'MAT4': 16}
RANGES = {'i1': 127.0, 'u1': 255.0, '<i2': 32767.0, '<u2': 65535.0}
REST = {'translation': (0.0, 0.0, 0.0), 'rotation': (0.0, 0.0, 0.0, 1.0), 'scale': (1.0, 1.0, 1.0)}


class GlbError(Exception):
    """The bytes are not a valid .glb of reanima."""


class Joint:
    """A joint of the skin. `rest` is the local transform by path; `parent` is a Joint or None."""

    def __init__(self, node, source, parent):
        self.node = node
        self.name = source.get('name', 'joint%d' % node)
        self.parent = parent
        self.index, self.id = ((source.get('extras') or {}).get(name) for name in ('index', 'id'))
        # reanima adds `<parent>_end` on request; other joints have an id, or a name of another form
        self.made_up_end = parent is not None and self.name == parent.name + '_end' and 'id' not in (source.get('extras') or {})
        self.rest = {path: numpy.array(source.get(path, start), dtype=float) for path, start in REST.items()}


class Clip:
    """An animation: `channels` maps (node, path) to (times in seconds, values)."""

    def __init__(self, name, extras, channels, stepped):
        self.name, self.channels, self.stepped = name, channels, stepped
        self.source = extras.get('source', '')
        self.index, self.id, self.origin = extras.get('index'), extras.get('id'), None     # origin: see provenance
        self.rate = extras.get('rate')
        self.frames = extras.get('frames') or 0
        self.cyclic = extras.get('loop') is True
        self.events = extras.get('events') or []
        self.end = max((float(times[-1]) for times, _ in channels.values()), default=0.0)


class Glb:
    def __init__(self, data):
        self.json, self.binary = chunks(data)
        self._accessors, self._times = {}, {}
        self.nodes = self.json.get('nodes', [])
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get('children', ())}
        self.name = (self.json.get('scenes') or [{}])[0].get('name', 'reanima')
        self.person = ''      # the character with these materials
        self.joints = self._joints()
        self.clips = [self._clip(a) for a in self.json.get('animations', ())]

    def accessor(self, index):
        """An array of one row per element; normalised integers become fractions."""
        if index not in self._accessors:
            self._accessors[index] = self._read(self.json['accessors'][index])
        return self._accessors[index]

    def times(self, index):
        """An accessor of seconds as an array. Channels that use it share the array."""
        if index not in self._times:
            self._times[index] = self.accessor(index)[:, 0]
        return self._times[index]

    def view(self, index):
        view = self.json['bufferViews'][index]
        start = view.get('byteOffset', 0)
        if start + view['byteLength'] > len(self.binary):
            raise GlbError('The command wrote an unusable .glb: a buffer view ends after the file.')
        return self.binary[start:start + view['byteLength']], view.get('byteStride', 0)

    def _read(self, accessor):
        kind, width, count = numpy.dtype(TYPES[accessor['componentType']]), WIDTHS[accessor['type']], accessor['count']
        if 'bufferView' not in accessor:
            return numpy.zeros((count, width), kind)
        data, stride = self.view(accessor['bufferView'])
        stride = stride or kind.itemsize * width
        start = accessor.get('byteOffset', 0)
        if start + stride * (count - 1) + kind.itemsize * width > len(data):
            raise GlbError('The command wrote an unusable .glb: an accessor ends after its buffer view.')
        values = numpy.ndarray((count, width), kind, data, start, (stride, kind.itemsize))
        if accessor.get('normalized'):
            values = numpy.maximum(values / RANGES[TYPES[accessor['componentType']]], -1.0)
        return values

    def _joints(self):
        """The joints of the first skin, parents first."""
        skins = self.json.get('skins')
        if not skins:
            return []
        wanted, made = set(skins[0]['joints']), {}

        def make(node):
            if node not in made:
                above = self.parents.get(node)
                while above is not None and above not in wanted:
                    above = self.parents.get(above)
                made[node] = Joint(node, self.nodes[node], None if above is None else make(above))
            return made[node]

        return [make(node) for node in sorted(wanted, key=self._depth)]

    def _depth(self, node):
        depth = 0
        while node in self.parents:
            node, depth = self.parents[node], depth + 1
        return depth

    def _clip(self, animation):
        samplers, channels, stepped = animation['samplers'], {}, False
        for channel in animation['channels']:
            sampler = samplers[channel['sampler']]
            stepped = stepped or sampler.get('interpolation') == 'STEP'
            target = channel['target']
            channels[target['node'], target['path']] = (self.times(sampler['input']), self.accessor(sampler['output']))
        return Clip(animation.get('name', ''), animation.get('extras') or {}, channels, stepped)

    def shown_meshes(self):
        """(mesh, joints of its skin) for every visible node with a mesh. No joints without a skin."""
        return [(self.json['meshes'][node['mesh']], self.json['skins'][node['skin']]['joints'] if 'skin' in node else ())
                for node in self.nodes if 'mesh' in node]


def chunks(data):
    """-> the JSON and the binary part"""
    if len(data) < 20 or data[:4] != b'glTF':
        raise GlbError('The command wrote an unusable .glb: it does not begin like one.')
    data, found, at = memoryview(data), {}, 12     # chunks are not copied
    while at + 8 <= len(data):
        length, kind = struct.unpack_from('<I4s', data, at)
        if at + 8 + length > len(data):
            raise GlbError('The command wrote an unusable .glb: a chunk ends after the file.')
        found.setdefault(kind, data[at + 8:at + 8 + length])
        at += 8 + length
    if b'JSON' not in found:
        raise GlbError('The command wrote an unusable .glb: it has no JSON.')
    return json.loads(bytes(found[b'JSON'])), found.get(b'BIN\0', b'')


class Writer:
    """Replaces keys of clips in a .glb."""

    def __init__(self, file):
        self._json = dict(file.json, animations=list(file.json.get('animations', [])), bufferViews=list(file.json.get('bufferViews', [])),
                          accessors=list(file.json.get('accessors', [])))
        self._parts, self._size = [bytes(file.binary)], len(file.binary)
        self._pad()

    def replace(self, place, times, channels):
        """place: index of the clip; channels: (node, path) -> a row per time"""
        samplers, targets = [], []
        when = self._accessor(numpy.asarray(times, dtype=float)[:, None])
        for (node, path), rows in channels.items():
            samplers.append({'input': when, 'output': self._accessor(rows), 'interpolation': 'LINEAR'})
            targets.append({'sampler': len(samplers) - 1, 'target': {'node': node, 'path': path}})
        self._json['animations'][place] = dict(self._json['animations'][place], samplers=samplers, channels=targets)

    def bytes(self):
        binary = b''.join(self._parts)
        text = json.dumps(dict(self._json, buffers=[{'byteLength': len(binary)}])).encode()
        text += b' ' * (-len(text) % 4)
        return struct.pack('<4sIII4s', b'glTF', 2, 28 + len(text) + len(binary), len(text), b'JSON') + text + struct.pack('<I4s', len(binary), b'BIN\0') + binary

    def _accessor(self, rows):
        data = numpy.asarray(rows, dtype='<f4')
        self._json['bufferViews'].append({'buffer': 0, 'byteOffset': self._size, 'byteLength': data.nbytes})
        kind = next(k for k, width in WIDTHS.items() if width == data.shape[1])
        accessor = {'bufferView': len(self._json['bufferViews']) - 1, 'componentType': 5126, 'count': len(data), 'type': kind}
        if kind == 'SCALAR':
            accessor.update(min=[float(data.min())], max=[float(data.max())])
        self._json['accessors'].append(accessor)
        self._parts.append(data.tobytes())
        self._size += data.nbytes
        self._pad()
        return len(self._json['accessors']) - 1

    def _pad(self):
        self._parts.append(b'\0' * (-self._size % 4))
        self._size += -self._size % 4
