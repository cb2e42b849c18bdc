#!/usr/bin/env python3
"""Rigs in files that Assimp reads: their meshes are converted as Blender shows them.

Blender's exporters write FBX and Collada files of rigs, and its importers give the position of every vertex. MD5 and
FBX files are also written here, with vertices computed by hand.
"""
import math, os, shutil, struct, subprocess, unittest

from geometry import product
from gltf_files import image_of
from pictures import from_png, png_of
from support import Case, Scene, in_blender, read, run, sample, write
import fbx_files, rig_set

NODE = os.path.join(os.path.dirname(__file__), '..', 'validate.js')

# Makes a scene of a rig: a second mesh with a skin of its own, a shape, colours, a picture; and exports it.
EXPORT = r'''
import os, mathutils
rig, picture, out, kind = arguments
bpy.ops.import_scene.gltf(filepath=rig)
body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
mesh = next(o for o in bpy.data.objects if o.type == 'MESH' and o.vertex_groups)
for other in [o for o in bpy.data.objects if o not in (body, mesh)]:
    bpy.data.objects.remove(other)
mesh.name = 'Body'
skin, coat = bpy.data.materials.new('skin'), bpy.data.materials.new('coat')
for material, colour in ((skin, (.8, .5, .3, 1)), (coat, (.1, .2, .6, 1))):
    material.use_nodes = True
    material.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = colour
image = coat.node_tree.nodes.new('ShaderNodeTexImage')
image.image = bpy.data.images.load(picture)
coat.node_tree.links.new(image.outputs['Color'], coat.node_tree.nodes['Principled BSDF'].inputs['Base Color'])
mesh.data.materials.clear()
mesh.data.materials.append(skin)
mesh.data.materials.append(coat)
mesh.data.uv_layers.new(name='UVMap')
for i, loop in enumerate(mesh.data.uv_layers[0].data):
    loop.uv = ((i % 7) / 7, (i % 5) / 5)
for i, polygon in enumerate(mesh.data.polygons):
    polygon.material_index = i % 2
hat = mesh.copy()
hat.data = mesh.data.copy()
hat.name = 'Coat'
for vertex in hat.data.vertices:
    vertex.co = vertex.co * 1.01
scene.collection.objects.link(hat)
if kind == 'fbx-mirrored':
    away = mathutils.Matrix.Translation((.1, .2, -.3)) @ mathutils.Euler((.4, -.7, .2)).to_matrix().to_4x4() @ mathutils.Matrix.Diagonal((-1.5, .5, .8, 1))
    hat.data.transform(away.inverted())
    hat.matrix_basis = hat.matrix_basis @ away
mesh.shape_key_add(name='Basis')
smile = mesh.shape_key_add(name='Smile')
for i, point in enumerate(smile.data):
    if i % 3 == 0:
        point.co.x += .02 / mesh.matrix_world.to_scale().x
smile.value = 0
bpy.ops.object.select_all(action='SELECT')
if kind in ('fbx', 'fbx-mirrored'):
    bpy.ops.export_scene.fbx(filepath=out, path_mode='COPY', embed_textures=True, bake_anim=False, apply_scale_options='FBX_SCALE_NONE')
elif kind == 'fbx-zup':
    bpy.ops.export_scene.fbx(filepath=out, path_mode='COPY', embed_textures=True, bake_anim=False, axis_up='Z', axis_forward='Y',
                             primary_bone_axis='X', secondary_bone_axis='Y')
elif kind == 'fbx-units':
    bpy.ops.export_scene.fbx(filepath=out, path_mode='RELATIVE', bake_anim=False, apply_scale_options='FBX_SCALE_UNITS', bake_space_transform=True)
elif 'collada_export' in dir(bpy.ops.wm):      # gone in Blender 5
    bpy.ops.wm.collada_export(filepath=out, use_texture_copies=True)
print('RESULT ' + json.dumps(os.path.exists(out)))
'''

# The position of every vertex by Blender's own importers: metres, Y up.
SEEN = r'''
path, = arguments
if path.endswith('.dae'):
    bpy.ops.wm.collada_import(filepath=path)
else:
    bpy.ops.import_scene.fbx(filepath=path) if path.endswith('.fbx') else bpy.ops.import_scene.gltf(filepath=path)
for o in bpy.data.objects:
    if o.type == 'ARMATURE':
        o.data.pose_position = 'REST'
        o.animation_data_clear()
bpy.context.view_layer.update()
graph = bpy.context.evaluated_depsgraph_get()
meshes = {}
for o in bpy.data.objects:
    if o.type != 'MESH' or not o.vertex_groups:
        continue
    seen = o.evaluated_get(graph)
    data = seen.to_mesh()
    rows = []
    for vertex in data.vertices:
        at = seen.matrix_world @ vertex.co
        weights = {o.vertex_groups[g.group].name: g.weight for g in o.data.vertices[vertex.index].groups if g.weight > 1e-6}
        rows.append([[at.x, at.z, -at.y], weights])
    layer = data.uv_layers.active
    corners = [[[at.x, at.z, -at.y], list(layer.data[i].uv)] for i, loop in enumerate(data.loops)
               for at in [seen.matrix_world @ data.vertices[loop.vertex_index].co]] if layer else []
    materials = {}
    for slot in o.material_slots:
        shader = slot.material.node_tree.nodes.get('Principled BSDF')
        base = shader.inputs['Base Color']
        materials[slot.material.name] = [list(base.default_value), base.is_linked]
    meshes[o.name] = {'vertices': rows, 'corners': corners, 'materials': materials, 'shapes': [k.name for k in o.data.shape_keys.key_blocks] if o.data.shape_keys else []}
print('RESULT ' + json.dumps(meshes))
'''


COAT = png_of([[(255 * x // 16, 255 * y // 16, 90) for x in range(16)] for y in range(16)])


def at_rest(scene, node):
    """rows of the transform of a node in the scene, without animation"""
    m = scene.local(node, {}, 0)
    while node in scene.parent:
        node = scene.parent[node]
        m = product(scene.local(node, {}, 0), m)
    return m


def vertices_of(scene):
    """-> [position at rest, {bone: weight}, place on the picture] of every vertex of every skinned mesh, by glTF's
    rule"""
    rows = []
    for node in scene.g['nodes']:
        if 'skin' not in node:
            continue
        skin = scene.g['skins'][node['skin']]
        inverse = scene.accessor(skin['inverseBindMatrices'])
        places = []
        for joint, flat in zip(skin['joints'], inverse):
            places.append(product(at_rest(scene, joint)[:3], [flat[r::4] for r in range(4)]))
        for primitive in scene.g['meshes'][node['mesh']]['primitives']:
            attributes = primitive['attributes']
            for p, joints, weights, uv in zip(*(scene.accessor(attributes[a]) for a in ('POSITION', 'JOINTS_0', 'WEIGHTS_0', 'TEXCOORD_0'))):
                at, named = [0, 0, 0], {}
                for joint, weight in zip(joints, weights):
                    if weight == 0:
                        continue
                    named[scene.g['nodes'][skin['joints'][joint]]['name']] = weight
                    at = [a + weight * (sum(row[k] * p[k] for k in range(3)) + row[3]) for a, row in zip(at, places[joint])]
                rows.append([at, named, uv])
    return rows


def shift(scene):
    """the 2 cm by which the exported shape moves vertices, in the space of the mesh: FBX in centimetres has larger numbers there"""
    bind = scene.accessor(scene.g['skins'][0]['inverseBindMatrices'])[0]
    world = at_rest(scene, scene.g['skins'][0]['joints'][0])
    first = [sum(world[r][k] * bind[c * 4 + k] for k in range(3)) for r in range(3) for c in (0,)]
    return .02 / math.hypot(*first)


def nearest(rows, others, reach):
    """the largest distance from a vertex to its nearest vertex among others, and the largest difference of weights
    between the two"""
    cells = {}
    for at, weights, *_ in others:
        cells.setdefault(tuple(math.floor(c / reach) for c in at), []).append((at, weights))
    far, apart = 0, 0
    for at, weights, *_ in rows:
        cell = [math.floor(c / reach) for c in at]
        near = [row for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) for row in cells.get((cell[0] + x, cell[1] + y, cell[2] + z), ())]
        if not near:
            return math.inf, math.inf
        least = min(math.dist(at, other) for other, _ in near)
        far = max(far, least)
        same = [w for other, w in near if math.dist(at, other) <= least + reach / 100]
        apart = max(apart, min(max(abs(weights.get(k, 0) - w.get(k, 0)) for k in set(weights) | set(w)) for w in same))
    return far, apart


class Kept(Case):
    def kept(self, path):
        os.makedirs(self.path('kept'), exist_ok=True)
        out = self.path('kept/out.glb')
        p = run('convert', sample('ff7', 'hrda'), '-s', path, '--force', '-o', out)
        if 'the module that reads other formats' in p.err:
            self.skipTest('built without Assimp')
        self.check(p, 0)
        if shutil.which('node') and os.path.isdir(os.path.join(os.path.dirname(NODE), 'node_modules')):
            found = subprocess.run(['node', NODE, self.path('kept')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(found.returncode, 0, found.stdout.decode()[-1500:])
        return read(out), p.err


@unittest.skipUnless(shutil.which('blender'), 'Blender is not installed')
class BlendersFiles(Kept):
    def rig_file(self, family, kind, **options):
        rig = self.path('%s.glb' % family)
        rig_set.write(rig, rig_set.build(family, 'adult', {'pose': 'A', 'mesh': 'yes', **options}))
        out = self.path('%s.%s' % (family, 'fbx' if kind.startswith('fbx') else kind))
        if not in_blender(self, EXPORT, rig, write(self.path('coat.png'), COAT), out, kind):
            self.skipTest('this Blender writes no Collada files')
        return out

    def check_as_in_blender(self, path, shapes=True):
        data, _ = self.kept(path)
        scene = Scene(data)
        mine = vertices_of(scene)
        seen = in_blender(self, SEEN, path)
        self.assertEqual(len(seen), 2)
        theirs = [row for mesh in seen.values() for row in mesh['vertices']]
        heights = [at[1] for at, _ in theirs]
        reach = .001 * (max(heights) - min(heights))
        for a, b in ((mine, theirs), (theirs, mine)):
            far, apart = nearest(a, b, reach)
            self.assertLess(far, reach)
            self.assertLess(apart, 1e-3)
        places = {}
        for at, _, (u, v) in mine:
            places.setdefault(tuple(round(c / reach / 4) for c in at), []).append((at, u, v))
        for at, (u, v) in (corner for mesh in seen.values() for corner in mesh['corners'][::7]):      # Blender counts v from below
            cell = [round(c / reach / 4) for c in at]
            near = [row for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) for row in places.get((cell[0] + x, cell[1] + y, cell[2] + z), ())]
            self.assertTrue(any(math.dist(at, p) < reach and abs(u - mine_u) < 1e-3 and abs(1 - v - mine_v) < 1e-3 for p, mine_u, mine_v in near), (at, u, v))
        materials = {m['name']: m for m in scene.g['materials']}
        for name, (colour, has_picture) in next(iter(seen.values()))['materials'].items():
            mine = materials[name]['pbrMetallicRoughness']
            self.assertEqual('baseColorTexture' in mine, has_picture, name)
            if not has_picture:
                for a, b in zip(mine.get('baseColorFactor', [1] * 4)[:3], colour):
                    self.assertAlmostEqual(a, b, delta=.01)
        image, = scene.g['images']
        self.assertEqual(image_of(scene), COAT)
        if shapes:
            names = [mesh.get('extras', {}).get('targetNames') for mesh in scene.g['meshes']]
            self.assertIn(['Smile'], names)
            moved = [scene.accessor(p['targets'][0]['POSITION']) for m in scene.g['meshes'] if 'extras' in m for p in m['primitives']]
            self.assertAlmostEqual(max(math.hypot(*d) for part in moved for d in part), shift(scene), delta=1e-4)
        self.assertEqual([a['name'] for a in scene.g['animations']], ['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004'])

    def test_fbx_in_centimetres(self):
        self.check_as_in_blender(self.rig_file('mixamo', 'fbx', armature='fbx'))

    def test_fbx_in_metres(self):
        self.check_as_in_blender(self.rig_file('biped', 'fbx-units', armature='zup'))

    def test_fbx_whose_z_axis_is_up(self):
        self.check_as_in_blender(self.rig_file('mixamo', 'fbx-zup'))

    def test_fbx_with_a_mirrored_mesh(self):
        """the second skin's mesh node is turned, moved, of three scales, one of them negative"""
        self.check_as_in_blender(self.rig_file('unity', 'fbx-mirrored'))

    def test_pictures_of_another_computer(self):
        """an absolute name leads to the file beside the rig, whatever the case of its letters; missing files are
        named"""
        path = self.rig_file('mixamo', 'fbx-units')
        before = read(path)
        name = next(n for n in (b'coat.png', self.path('coat.png').encode()) if n in before)
        data = read(path).replace(name, name.replace(b'coat.png', b'COAT.png'))
        write(path, data)
        scene = Scene(self.kept(path)[0])
        self.assertEqual(len(scene.g['images']), 1)
        os.remove(self.path('coat.png'))
        data, said = self.kept(path)
        self.assertRegex(said, r'warning: the image .*COAT.png is left out, because it is missing')
        self.assertNotIn('images', Scene(data).g)
        write(self.path('coat.png'), b'TRUEVISION-XFILE.')
        data, said = self.kept(path)
        self.assertRegex(said, r'warning: the image .*COAT.png is left out, because it is not a supported image \(PNG, JPEG, TGA, BMP, DDS\)')

    def test_pictures_of_other_kinds(self):
        """images become PNGs; their type comes from the content, not the name"""
        path = self.rig_file('mixamo', 'fbx-units')
        for kind, picture in (('TGA', struct.pack('<3B2HB4H2B', 0, 0, 2, 0, 0, 0, 0, 0, 2, 1, 24, 0x20) + bytes((1, 2, 3, 4, 5, 6))),
                              ('BMP', b'BM' + struct.pack('<IIIIiiHH24x', 62, 0, 54, 40, 2, 1, 1, 24) + bytes((1, 2, 3, 4, 5, 6, 0, 0)))):
            with self.subTest(kind):
                write(self.path('coat.png'), picture)
                scene = Scene(self.kept(path)[0])
                image, = scene.g['images']
                self.assertEqual(image['mimeType'], 'image/png')
                self.assertEqual(from_png(image_of(scene)), (2, [[(3, 2, 1), (6, 5, 4)]]))

    def test_joints_alone(self):
        path = self.rig_file('mixamo', 'fbx')
        self.check(run('convert', sample('ff7', 'hrda'), '-s', path, '--rig-mesh', 'omit', '--force', '-o', self.path('bare.glb')), 0)
        self.assertNotIn('meshes', Scene(read(self.path('bare.glb'))).g)

    def test_collada(self):
        self.check_as_in_blender(self.rig_file('unity', 'dae', armature='plain'), shapes=False)

    def test_collada_of_an_armature_in_centimetres(self):
        """Blender binds the bones in world space, but the vertices as if the armature were at the origin"""
        self.check_as_in_blender(self.rig_file('mixamo', 'dae', armature='fbx'), shapes=False)


class OwnFiles(Kept):
    def test_what_assimp_cannot_read(self):
        p = self.check(run('convert', sample('ff7', 'hrda'), '-s', write(self.path('new.fbx'), b'Kaydara FBX Binary  \0\x1a\0' + struct.pack('<I', 9000)), '-o', self.path('x.glb')), 1)
        self.assertIn('; Blender reads more FBX files: import it there, export a .glb (File > Export > glTF 2.0), and use the .glb', p.err)

    def test_fewer_weights(self):
        """a vertex that six bones move keeps the four largest"""
        data, said = self.kept(self.md5(6))
        self.assertRegex(said, r'note: \d+ vertices have more than four weights; only their four largest weights are kept')
        for _, weights, _ in vertices_of(Scene(data)):
            self.assertLessEqual(len(weights), 4)
            self.assertAlmostEqual(sum(weights.values()), 1, delta=1e-5)

    def md5(self, bones):
        """a person of MD5: Z is up, the joints' axes are the world's but for the hips', which are turned about Z; three vertices for each joint, \
and one that several bones move"""
        person = rig_set.build('unity', 'adult', {'pose': 'T', 'armature': 'none', 'axes': 'identity'})
        joints = person['rig'].joints
        up = {j['name']: (p[0], -p[2], p[1]) for j in joints for p in [person['pos'][j['name']]]}
        index = {j['name']: i for i, j in enumerate(joints)}
        turned = next(j['name'] for j in joints if j['role'] == 'hips')
        half = math.radians(40) / 2
        rows = ['MD5Version 10', 'commandline ""', 'numJoints %d' % len(joints), 'numMeshes 1', '', 'joints {']
        for j in joints:
            turn = (0, 0, -math.sin(half)) if j['name'] == turned else (0, 0, 0)         # w is -sqrt(1 - z * z): the angle, negated
            rows.append('"%s" %d ( %.9f %.9f %.9f ) ( %.9f %.9f %.9f )' % ((j['name'], index.get(j['parent'], -1)) + up[j['name']] + turn))
        rows += ['}', '', 'mesh {', 'shader "skin"', '']
        self.corners, weights, vertices = [], [], []

        def add(at, led):
            self.corners.append((at[0], at[2], -at[1]))
            vertices.append((len(weights), len(led)))
            for name in led:
                d = [a - b for a, b in zip(at, up[name])]
                if name == turned:
                    c, s = math.cos(-2 * half), math.sin(-2 * half)
                    d = [c * d[0] - s * d[1], s * d[0] + c * d[1], d[2]]
                weights.append((index[name], 1 / len(led), *d))
        triangles = []
        for j in joints:
            x, y, z = up[j['name']]
            triangles.append((len(vertices), len(vertices) + 1, len(vertices) + 2))
            for at in ((x + .03, y, z), (x, y + .03, z), (x, y, z + .03)):
                add(at, [j['name']])
        add((0, -.2, 1), [j['name'] for j in joints[:bones]])
        triangles.append((0, 1, len(vertices) - 1))
        rows.append('numverts %d' % len(vertices))
        rows += ['vert %d ( 0.5 0.5 ) %d %d' % (i, *v) for i, v in enumerate(vertices)]
        rows.append('numtris %d' % len(triangles))
        rows += ['tri %d %d %d %d' % (i, *t) for i, t in enumerate(triangles)]
        rows.append('numweights %d' % len(weights))
        rows += ['weight %d %d %.9f ( %.9f %.9f %.9f )' % (i, *w) for i, w in enumerate(weights)]
        return write(self.path('person.md5mesh'), '\n'.join(rows + ['}']) + '\n')

    def test_md5(self):
        data, _ = self.kept(self.md5(2))
        scene = Scene(data)
        rows = vertices_of(scene)
        for a, b in ((rows, [(at, {}) for at in self.corners]), ([(at, {}) for at in self.corners], rows)):
            self.assertLess(max(min(math.dist(at, other) for other, *_ in b) for at, *_ in a), .001 * 1.75)

    def fbx(self):
        """a person of FBX as 3ds Max writes them: Z is up, the front is -Y, in centimetres; the hips are turned about
        Z; three vertices for each joint"""
        person = rig_set.build('mixamo', 'adult', {'pose': 'T', 'armature': 'none', 'axes': 'identity'})
        joints = person['rig'].joints
        self.places = {j['name']: person['pos'][j['name']] for j in joints}
        up = {name: [100 * p[0], -100 * p[2], 100 * p[1]] for name, p in self.places.items()}
        hips = next(j['name'] for j in joints if j['role'] == 'hips')
        parents = {j['name']: j['parent'] for j in joints}

        def axes_of(name):
            """the joint's X and Y axes"""
            while name is not None and name != hips:
                name = parents[name]
            c, s = (math.cos(math.radians(40)), math.sin(math.radians(40))) if name else (1, 0)
            return (c, s), (-s, c)

        def moved(name):
            """from the parent to a joint, in the parent's axes"""
            d = [a - b for a, b in zip(up[name], up.get(parents[name], (0, 0, 0)))]
            x, y = axes_of(parents[name])
            return [d[0] * x[0] + d[1] * x[1], d[0] * y[0] + d[1] * y[1], d[2]]

        def number(i, kind):
            return fbx_files.Number(1000 * kind + i)
        self.corners, points = [], []
        for j in joints:
            x, y, z = up[j['name']]
            for at in ((x + 3, y, z), (x, y + 3, z), (x, y, z + 3)):
                points += at
                self.corners.append((at[0] / 100, at[2] / 100, -at[1] / 100))
        mesh, body, skin = (number(i, 9) for i in range(3))
        objects = [('Geometry', [mesh, fbx_files.named('Geometry', 'body'), 'Mesh'],
                    [('GeometryVersion', [124], []), ('Vertices', [[float(c) for c in points]], []),
                     ('PolygonVertexIndex', [[-1 - i if i % 3 == 2 else i for i in range(len(points) // 3)]], []),
                     ('LayerElementUV', [0], [('Version', [101], []), ('Name', ['map'], []), ('MappingInformationType', ['ByPolygonVertex'], []),
                                              ('ReferenceInformationType', ['Direct'], []), ('UV', [[0.5] * (2 * len(points) // 3)], [])]),
                     ('Layer', [0], [('Version', [100], []), ('LayerElement', [], [('Type', ['LayerElementUV'], []), ('TypedIndex', [0], [])])])]),
                   ('Model', [body, fbx_files.named('Model', 'body'), 'Mesh'], [('Version', [232], [])]),
                   ('Deformer', [skin, fbx_files.named('Deformer', 'skin'), 'Skin'], [('Version', [101], [])])]
        links = [(body, 0), (mesh, body), (skin, mesh)]
        index = {j['name']: i for i, j in enumerate(joints)}
        for i, j in enumerate(joints):
            name = j['name']
            x, y = axes_of(name)
            p = up[name]
            placed = [*x, 0.0, 0.0, *y, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, *p, 1.0]
            seen = [x[0], y[0], 0.0, 0.0, x[1], y[1], 0.0, 0.0, 0.0, 0.0, 1.0, 0.0,           # the mesh, from the joint
                    -p[0] * x[0] - p[1] * x[1], -p[0] * y[0] - p[1] * y[1], -p[2], 1.0]
            turned = [('Lcl Rotation', 'Lcl Rotation', '', 'A', 0.0, 0.0, 40.0)] if name == hips else []
            objects += [('Model', [number(i, 1), fbx_files.named('Model', name), 'LimbNode'],
                         [('Version', [232], []), fbx_files.properties(('Lcl Translation', 'Lcl Translation', '', 'A', *map(float, moved(name))), *turned)]),
                        ('Deformer', [number(i, 2), fbx_files.named('SubDeformer', name), 'Cluster'],
                         [('Version', [100], []), ('Indexes', [[3 * i, 3 * i + 1, 3 * i + 2]], []), ('Weights', [[1.0] * 3], []),
                          ('Transform', [[float(v) for v in seen]], []), ('TransformLink', [[float(v) for v in placed]], [])])]
            links += [(number(i, 1), number(index[j['parent']], 1) if j['parent'] else 0), (number(i, 2), skin), (number(i, 1), number(i, 2))]
        axes = [(name, 'int', 'Integer', '', value) for name, value in (('UpAxis', 2), ('UpAxisSign', 1), ('FrontAxis', 1), ('FrontAxisSign', -1),
                                                                        ('CoordAxis', 0), ('CoordAxisSign', 1))]
        return [('FBXHeaderExtension', [], [('FBXHeaderVersion', [1003], []), ('FBXVersion', [7400], [])]),
                ('GlobalSettings', [], [('Version', [1000], []), fbx_files.properties(*axes, ('UnitScaleFactor', 'double', 'Number', '', 1.0))]),
                ('Objects', [], objects), ('Connections', [], [('C', ['OO', fbx_files.Number(a), fbx_files.Number(b)], []) for a, b in links])]

    def test_fbx_whose_z_axis_is_up_in_centimetres(self):
        rig = self.fbx()
        for kind, data in (('text', fbx_files.as_text(rig).encode()), ('binary', fbx_files.as_binary(rig))):
            with self.subTest(kind):
                scene = Scene(self.kept(write(self.path('person.fbx'), data))[0])
                rows = vertices_of(scene)
                self.assertEqual(len(rows), len(self.corners))
                height = max(at[1] for at in self.corners) - min(at[1] for at in self.corners)
                self.assertGreater(height, 1.5)
                for a, b in ((rows, [(at, {}) for at in self.corners]), ([(at, {}) for at in self.corners], rows)):
                    self.assertLess(max(min(math.dist(at, other) for other, *_ in b) for at, *_ in a), .001 * height)
                nodes = {n.get('name'): i for i, n in enumerate(scene.g['nodes'])}
                for name, place in self.places.items():
                    self.assertLess(math.dist([row[3] for row in at_rest(scene, nodes[name])[:3]], place), .001 * height, name)

if __name__ == '__main__':
    unittest.main()
