# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes skinned meshes with materials and images from files of reanima."""
import os
import tempfile

import bpy
import numpy

from . import contents, provenance, versions

WRAPS = {10497: 'REPEAT', 33071: 'EXTEND', 33648: 'MIRROR'}
NEAREST = 9728


def add(context, file, owner, turn):
    """Makes the meshes of a file and parents them to the armature, if there is one. turn: 3 x 3, from glTF's space to
    that of the object. Work (see progress). -> number of meshes"""
    materials = Materials(file)
    bones = carriers(file.joints, owner.data.bones) if owner else {}
    shown = file.shown_meshes()
    for done, (mesh, joints) in enumerate(shown):
        yield '%s: meshes' % file.name, done / len(shown)
        add_mesh(context, file, mesh, [bones.get(j) for j in joints], owner, turn, materials)
    return len(shown)


def key_of(file, mesh):
    """A key for the content of a mesh."""
    parts = [numpy.ascontiguousarray(file.accessor(p['attributes']['POSITION'])).tobytes() for p in mesh['primitives']]
    return provenance.content_key(mesh.get('name', '').encode() + b''.join(parts))


def worn(owner, file):
    """The names of the armature's objects that an earlier import made from the meshes of the file. Empty if one
    is missing."""
    has = {}
    for child in owner.children:
        origin = child.data.get(provenance.FROM) if child.type == 'MESH' else None
        if origin is not None and hasattr(origin, 'get'):
            has[origin.get('key')] = child.name
    wanted = [key_of(file, mesh) for mesh, _ in file.shown_meshes()]
    return [has[key] for key in wanted] if wanted and all(key in has for key in wanted) else []


def carriers(joints, bones):
    """The bone that moves each node's children: the bone of its joint, or of the nearest joint above that has a bone."""
    found = {}
    for joint in joints:      # parents come first
        found[joint.node] = joint.name if joint.name in bones else found.get(joint.parent.node) if joint.parent else None
    return found


def add_mesh(context, file, mesh, bones, owner, turn, materials):
    parts = [Part(file, p) for p in mesh['primitives'] if p.get('mode', 4) == 4]
    starts = numpy.cumsum([0] + [len(p.positions) for p in parts])
    points = numpy.concatenate([p.positions for p in parts]) @ turn.T
    triangles = numpy.concatenate([p.triangles + start for p, start in zip(parts, starts)])
    data = bpy.data.meshes.new(mesh.get('name', file.name))
    data.from_pydata(points.tolist(), [], triangles.tolist())
    corners = triangles.ravel()
    if any(p.uv is not None for p in parts):
        uv = numpy.concatenate([p.uv if p.uv is not None else numpy.zeros((len(p.positions), 2)) for p in parts])
        layer = data.uv_layers.new(name='UVMap')
        layer.data.foreach_set('uv', (uv * (1, -1) + (0, 1))[corners].astype(numpy.float32).ravel())
    if any(p.colors is not None for p in parts):
        colors = numpy.concatenate([p.colors if p.colors is not None else numpy.ones((len(p.positions), 4)) for p in parts])
        layer = data.color_attributes.new('Color', 'FLOAT_COLOR', 'POINT')
        layer.data.foreach_set('color', colors.astype(numpy.float32).ravel())
    slots = {}
    for part in parts:
        if part.material not in slots:
            slots[part.material] = len(slots)
            data.materials.append(materials.get(part.material, part.colors))
    faces = numpy.concatenate([numpy.full(len(p.triangles), slots[p.material], numpy.int32) for p in parts])
    data.polygons.foreach_set('material_index', faces)
    if all(p.normals is not None for p in parts):
        data.polygons.foreach_set('use_smooth', numpy.ones(len(faces), bool))
        normals = numpy.concatenate([p.normals for p in parts]) @ numpy.linalg.inv(turn)     # rows: the transposed inverse of turn
        lengths = numpy.linalg.norm(normals, axis=1, keepdims=True)
        versions.set_normals(data, (normals / numpy.where(lengths > 0, lengths, 1)).tolist())
    data.update()
    provenance.mark(data, {'mesh': mesh.get('name', ''), 'key': key_of(file, mesh)})
    shown = bpy.data.objects.new(data.name, data)
    context.collection.objects.link(shown)
    if owner is not None:
        hang(shown, owner, bones, parts, starts)


def hang(shown, owner, bones, parts, starts):
    """Sets the vertex groups by bones, and the modifier."""
    shown.parent = owner
    for index, bone in enumerate(bones):
        for part, start in zip(parts, starts):
            for weight, vertices in part.weights_of(index) if bone else ():
                group = shown.vertex_groups.get(bone) or shown.vertex_groups.new(name=bone)
                group.add((vertices + start).tolist(), weight, 'ADD')      # several joints may follow one bone
    modifier = shown.modifiers.new('Armature', 'ARMATURE')
    modifier.object = owner


class Part:
    """The arrays of a primitive."""

    def __init__(self, file, primitive):
        def read(name):
            index = primitive['attributes'].get(name)
            return None if index is None else numpy.asarray(file.accessor(index))

        self.positions, self.normals, self.uv, self.colors = read('POSITION'), read('NORMAL'), read('TEXCOORD_0'), read('COLOR_0')
        if self.colors is not None and self.colors.shape[1] == 3:
            self.colors = numpy.column_stack([self.colors, numpy.ones(len(self.colors))])
        self._joints, self._weights = read('JOINTS_0'), read('WEIGHTS_0')
        indices = primitive.get('indices')
        order = numpy.arange(len(self.positions)) if indices is None else file.accessor(indices)[:, 0]
        self.triangles = order.astype(numpy.int64).reshape(-1, 3)
        self.material = primitive.get('material')

    def weights_of(self, joint):
        """(weight, vertices) for the vertices that follow a joint"""
        follows = (self._joints == joint) & (self._weights > 0)
        for weight in numpy.unique(self._weights[follows]):
            yield float(weight), numpy.nonzero((follows & (self._weights == weight)).any(axis=1))[0]


class Materials:
    """Materials of a file, made at first use."""

    def __init__(self, file):
        self._file, self._made, self._images = file, {}, {}

    def get(self, index, colors):
        """colors: vertex colours to multiply the texture by; None if there are none"""
        colored = colors is not None
        if (index, colored) not in self._made:
            source = {} if index is None else self._file.json['materials'][index]
            made = self._made[index, colored] = self._make(source, colored)
            arrange(made.node_tree)
            tint = colors[:, :3].mean(axis=0) if colored and len(colors) else numpy.ones(3)
            made.diffuse_color[:3] = numpy.clip(self._average(source.get('pbrMetallicRoughness', {})) * tint, 0, 1).tolist()
        return self._made[index, colored]

    def _make(self, source, colored):
        material = bpy.data.materials.new(contents.of_person(self._file.person, source.get('name', 'reanima')))
        tree = versions.nodes_of(material)
        tree.nodes.clear()
        pbr = source.get('pbrMetallicRoughness', {})
        color, alpha = self._color(tree, pbr, colored)
        mode = source.get('alphaMode', 'OPAQUE')
        material.use_backface_culling = not source.get('doubleSided', False)
        if mode != 'OPAQUE':
            versions.show_transparency(material, mode == 'MASK')
        if 'KHR_materials_unlit' in source.get('extensions', {}):
            shader = tree.nodes.new('ShaderNodeEmission')
            entry = shader.inputs['Color']
        else:
            shader = tree.nodes.new('ShaderNodeBsdfPrincipled')
            shader.inputs['Metallic'].default_value = pbr.get('metallicFactor', 1.0)
            shader.inputs['Roughness'].default_value = pbr.get('roughnessFactor', 1.0)
            entry = shader.inputs['Base Color']
        connect(tree, color, entry)
        surface = shader.outputs[0] if mode == 'OPAQUE' else see_through(tree, shader.outputs[0], alpha)
        tree.links.new(surface, tree.nodes.new('ShaderNodeOutputMaterial').inputs['Surface'])
        return material

    def _color(self, tree, pbr, colored):
        """-> colour and alpha: a socket, or a value"""
        factor = pbr.get('baseColorFactor', [1.0, 1.0, 1.0, 1.0])
        colors = [factor] if factor[:3] != [1.0, 1.0, 1.0] else []
        alpha = factor[3]
        if 'baseColorTexture' in pbr:
            node = self._texture(tree, pbr['baseColorTexture']['index'])
            colors.append(node.outputs['Color'])
            alpha = node.outputs['Alpha']
        if colored:
            node = tree.nodes.new('ShaderNodeVertexColor')
            node.layer_name, node.label = 'Color', 'Colours of the vertices'
            colors.append(node.outputs['Color'])
        if not colors:
            return factor, alpha
        while len(colors) > 1:
            product = tree.nodes.new('ShaderNodeVectorMath')
            product.operation, product.label = 'MULTIPLY', 'Texture x colour'
            for value in (0, 1):
                connect(tree, colors.pop(0), product.inputs[value])
            colors.insert(0, product.outputs[0])
        return colors[0], alpha

    def _average(self, pbr):
        """The mean linear colour of the factor and the texture's opaque part. Solid shading shows one colour."""
        factor = numpy.array(pbr.get('baseColorFactor', [1.0, 1.0, 1.0, 1.0])[:3])
        if 'baseColorTexture' not in pbr:
            return factor
        image = self._image(self._file.json['textures'][pbr['baseColorTexture']['index']]['source'])
        pixels = numpy.empty(len(image.pixels), numpy.float32)
        image.pixels.foreach_get(pixels)
        pixels = pixels.reshape(-1, 4)
        opaque = pixels[pixels[:, 3] > 0.5]
        return factor * ((opaque[:, :3] ** 2.2).mean(axis=0) if len(opaque) else 1.0)

    def _texture(self, tree, index):
        texture = self._file.json['textures'][index]
        samplers = self._file.json.get('samplers', [])
        sampler = samplers[texture['sampler']] if 'sampler' in texture else {}
        node = tree.nodes.new('ShaderNodeTexImage')
        node.image, node.label = self._image(texture['source']), 'Texture'
        node.interpolation = 'Closest' if sampler.get('magFilter') == NEAREST else 'Linear'
        node.extension = WRAPS.get(sampler.get('wrapS', 10497), 'REPEAT')
        return node

    def _image(self, index):
        if index not in self._images:
            source = self._file.json['images'][index]
            name, data = source.get('name', 'reanima'), bytes(self._file.view(source['bufferView'])[0])
            key = provenance.content_key(data)
            self._images[index] = provenance.earlier_image(bpy.data.images, name, key) or new_image(name, data, key)
        return self._images[index]


def new_image(name, data, key):
    """Makes a packed image from the bytes of a PNG."""
    with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
        path = os.path.join(folder, 'image.png')
        with open(path, 'wb') as file:
            file.write(data)
        image = bpy.data.images.load(path)
        image.pack()
    image.name = provenance.free_name(bpy.data.images, name)
    image.filepath_raw = ''
    provenance.mark(image, {'image': name, 'key': key})
    return image


def arrange(tree):
    """Arranges nodes in columns, from left to right in the order of links."""
    column = {node: 0 for node in tree.nodes}
    for _ in tree.nodes:      # once per step of the longest possible path
        for link in tree.links:
            column[link.from_node] = max(column[link.from_node], column[link.to_node] + 1)
    filled = {}
    for node in tree.nodes:
        node.location = -320 * column[node], -320 * filled.get(column[node], 0)
        filled[column[node]] = filled.get(column[node], 0) + 1


def connect(tree, value, entry):
    """Links a socket, or sets a value (a colour on a vector without alpha)."""
    if isinstance(value, bpy.types.NodeSocket):
        tree.links.new(value, entry)
    else:
        entry.default_value = value if entry.type == 'RGBA' else value[:len(entry.default_value)]


def see_through(tree, surface, alpha):
    """Makes a surface transparent by alpha."""
    mix = tree.nodes.new('ShaderNodeMixShader')
    mix.label = 'Seen through by alpha'
    if isinstance(alpha, bpy.types.NodeSocket):
        tree.links.new(alpha, mix.inputs[0])
    else:
        mix.inputs[0].default_value = alpha
    tree.links.new(tree.nodes.new('ShaderNodeBsdfTransparent').outputs[0], mix.inputs[1])
    tree.links.new(surface, mix.inputs[2])
    return mix.outputs[0]
