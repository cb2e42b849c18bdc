#!/usr/bin/env python3
"""The add-on's code for Blender 4.x and 5.x, against a stand-in of its Python API.

The stand-in has the members that the API's manual has for a version, and no others: a member that went raises
AttributeError, an argument that a version lacks TypeError. From the pages of docs.blender.org/api:
  4.0, 4.2, 4.4, 5.0  Action: `fcurves`, `groups`, `id_root` until 4.5 (5.0/change_log: removed); `slots`, `layers` since 4.4
  4.3, 4.4            ActionKeyframeStrip: `channels(slot_handle)` in 4.3, `channelbag(slot, *, ensure=False)` since 4.4
  5.0/change_log      ActionChannelbagFCurves.new(data_path, index, group_name), was (data_path, index)
  4.4                 AnimData.action_slot; ActionSlots.new(id_type, name); ActionLayers.new(name); ActionStrips.new(*, type='KEYFRAME')
  4.1                 FileHandler: bl_idname, bl_import_operator, bl_label, bl_file_extensions, poll_drop(cls, context); none in 4.0
  4.2                 Material.surface_render_method DITHERED or BLENDED, `blend_method` deprecated
  4.0, 4.5            SequenceEditor.sequences: SequencesTopLevel until 4.4; `strips`: StripsTopLevel since
  latest              Strip.duration; `frame_final_duration` until 5.0
"""
import ast, os, re, sys, tomllib, types, unittest

sys.dont_write_bytecode = True
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
VERSIONS = [(3, 4, 1), (4, 0, 2), (4, 1, 1), (4, 2, 0), (4, 3, 0), (4, 4, 0), (4, 5, 0), (5, 0, 0), (5, 1, 0)]


def sources():
    """-> name and text of each module of the add-on"""
    folder = os.path.join(SOURCE, 'blender', 'reanima')
    for name in sorted(os.listdir(folder)):
        if name.endswith('.py'):
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                yield name, file.read()


class Curve:
    def __init__(self, path, index):
        self.data_path, self.array_index, self.group = path, index, None


class Curves(list):
    """Until 4.3: ActionFCurves.new(data_path, index, action_group); 4.4 and 4.5: ActionChannelbagFCurves.new(data_path, index)."""

    def __init__(self, version, of_bag):
        super().__init__()
        self._more = {'group_name'} if of_bag and version >= (5, 0, 0) else {'action_group'} if not of_bag else set()

    def new(self, data_path, *, index=0, **more):
        if set(more) - self._more:
            raise TypeError('new(): unknown argument %s' % more)
        if any(c.data_path == data_path and c.array_index == index for c in self):
            raise RuntimeError('the curve exists')
        self.append(Curve(data_path, index))
        return self[-1]


class Named(list):
    """A collection whose new(name) calls `kind` to make an item."""

    def __init__(self, kind):
        super().__init__()
        self._kind = kind

    def new(self, *args, **kwargs):
        self.append(self._kind(*args, **kwargs))
        return self[-1]


class Bag:
    def __init__(self, version, slot):
        self.slot, self.fcurves, self.groups = slot, Curves(version, True), Named(str)


class Strip:
    def __init__(self, version, *, type):
        assert type == 'KEYFRAME'
        self.channelbags, self._version = [], version

    def channelbag(self, slot, *, ensure=False):
        for bag in self.channelbags:
            if bag.slot is slot:
                return bag
        if not ensure:
            return None
        self.channelbags.append(Bag(self._version, slot))
        return self.channelbags[-1]


class Layer:
    def __init__(self, version, name):
        self.strips = Named(lambda **k: Strip(version, **k))


class Slot:
    def __init__(self, *, id_type, name):
        assert id_type == 'OBJECT'
        self.target_id_type, self.identifier = id_type, 'OB' + name


class Action:
    def __init__(self, version):
        if version < (4, 4, 0):
            self.fcurves, self.groups, self.id_root = Curves(version, False), Named(str), 'ACTION'
        else:
            self.slots, self.layers = Named(Slot), Named(lambda name: Layer(version, name))


class AnimationData:
    def __init__(self, version):
        self.action = None
        if version >= (4, 4, 0):
            self.action_slot = None


class Owner:
    name = 'Hero'

    def __init__(self, version):
        self.animation_data, self._version = None, version

    def animation_data_create(self):
        self.animation_data = AnimationData(self._version)
        return self.animation_data


class FileHandler:
    pass


def blender(version):
    """A module `bpy` of this version, with all members that the add-on's module for versions uses."""
    bpy = types.ModuleType('bpy')
    bpy.app = types.SimpleNamespace(version=version)
    bpy.types = types.SimpleNamespace(**({'FileHandler': FileHandler} if version >= (4, 1, 0) else {}))
    bpy.registered = []
    bpy.utils = types.SimpleNamespace(register_class=bpy.registered.append, unregister_class=bpy.registered.remove)
    return bpy


def module(version):
    """The add-on's module, loaded in this version; -> module and bpy"""
    path = os.path.join(SOURCE, 'blender', 'reanima', 'versions.py')
    loaded, bpy = types.ModuleType('versions'), blender(version)
    before, sys.modules['bpy'] = sys.modules.get('bpy'), bpy
    try:
        with open(path, encoding='utf-8') as file:
            exec(compile(file.read(), path, 'exec'), loaded.__dict__)
    finally:
        if before is None:
            del sys.modules['bpy']
        else:
            sys.modules['bpy'] = before
    return loaded, bpy


class Versions(unittest.TestCase):
    def each(self):
        for version in VERSIONS:
            with self.subTest('.'.join(map(str, version))):
                yield version, *module(version)

    def test_curves_are_made_where_the_version_has_them_and_played(self):
        for version, versions, _ in self.each():
            action, owner = Action(version), Owner(version)
            curves = versions.Curves(action, owner)
            for index in range(4):
                curves.new('pose.bones["a"].rotation_quaternion', index, 'a')
            curves.new('location', 0, 'Object Transforms')
            made = versions.curves_of(action)
            self.assertEqual([c.array_index for c in made], [0, 1, 2, 3, 0])
            self.assertEqual([c.group for c in made], ['a'] * 4 + ['Object Transforms'])
            holder = action if version < (4, 4, 0) else action.layers[0].strips[0].channelbags[0]
            self.assertEqual(list(holder.groups), ['a', 'Object Transforms'])
            versions.play(owner, action, curves.slot)
            self.assertIs(owner.animation_data.action, action)
            if version < (4, 4, 0):
                self.assertIsNone(curves.slot)
                self.assertEqual(action.id_root, 'OBJECT')
                self.assertFalse(hasattr(owner.animation_data, 'action_slot'))
            else:
                self.assertEqual([s.identifier for s in action.slots], ['OBHero'])
                self.assertIs(owner.animation_data.action_slot, action.slots[0])
                self.assertFalse(hasattr(action, 'fcurves'))
                versions.play(owner, action)                   # of an action that is not new: its first slot
                self.assertIs(owner.animation_data.action_slot, action.slots[0])
            versions.play(owner, None)
            self.assertIsNone(owner.animation_data.action)

    def test_files_are_dropped_where_the_version_has_file_handlers(self):
        for version, versions, bpy in self.each():
            versions.register_file_handler(('.rlf', '.a00'), 'import_scene.reanima')
            if version < (4, 1, 0):
                self.assertEqual(bpy.registered, [])
            else:
                handler, = bpy.registered
                self.assertTrue(issubclass(handler, FileHandler))
                self.assertEqual([handler.bl_import_operator, handler.bl_file_extensions], ['import_scene.reanima', '.rlf;.a00'])
                self.assertTrue(handler.bl_idname.isidentifier() and handler.bl_label)
                here = types.SimpleNamespace
                self.assertTrue(handler.poll_drop(here(area=here(type='VIEW_3D'))))
                self.assertFalse(handler.poll_drop(here(area=here(type='TEXT_EDITOR'))))
                self.assertFalse(handler.poll_drop(here(area=None)))
            versions.unregister_file_handler()
            self.assertEqual(bpy.registered, [])

    def test_strips_transparency_nodes_and_normals(self):
        here = types.SimpleNamespace
        for version, versions, _ in self.each():
            editor = here(**{'sequences' if version < (4, 4, 0) else 'strips': ['strip']})
            self.assertEqual(versions.strips(here(sequence_editor=editor)), ['strip'])
            self.assertEqual(versions.strips(here(sequence_editor=None, sequence_editor_create=lambda: editor)), ['strip'])
            strip = here(**{'frame_final_duration' if version < (5, 1, 0) else 'duration': 1})
            versions.set_length(strip, 7)
            self.assertEqual(list(vars(strip).values()), [7])
            material = here(blend_method='OPAQUE', use_nodes=False, node_tree='tree', **({'surface_render_method': 'DITHERED'} if version >= (4, 2, 0) else {}))
            versions.show_transparency(material, cut=False)
            self.assertEqual(material.blend_method, 'BLEND' if version < (4, 2, 0) else 'OPAQUE')
            self.assertEqual(getattr(material, 'surface_render_method', 'BLENDED'), 'BLENDED')
            self.assertEqual(versions.nodes_of(material), 'tree')
            self.assertEqual(material.use_nodes, version < (5, 0, 0))
            given = []
            mesh = here(normals_split_custom_set_from_vertices=given.append, **({'use_auto_smooth': False} if version < (4, 1, 0) else {}))
            versions.set_normals(mesh, 'normals')
            self.assertEqual([given, getattr(mesh, 'use_auto_smooth', True)], [['normals'], True])
            asked = []       # 4.1: WindowManager.invoke_props_dialog(operator, *, width=300, title, confirm_text)
            versions.ask(here(invoke_props_dialog=lambda operator, **more: asked.append(more)), 'operator', 'Import', 720)
            self.assertEqual(asked, [dict(width=720, **({'confirm_text': 'Import'} if version >= (4, 1, 0) else {}))])

    def test_nothing_else_of_the_add_on_asks_for_a_version(self):
        for name, text in sources():
            if name != 'versions.py':
                for word in ('app.version', '.fcurves', '.action_groups', 'id_root', '.sequences', 'blend_method', 'use_auto_smooth', '.use_nodes', '.bone.select'):
                    self.assertNotIn(word, text, name)

    def test_annotations_use_no_name_that_their_class_defines(self):
        # Since Python 3.14 they are evaluated late (PEP 649), where a method of that name hides the module's.
        for name, text in sources():
            for defined in (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ClassDef)):
                own = {n.name for n in defined.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
                own |= {t.id for n in defined.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
                used = {n.id for a in defined.body if isinstance(a, ast.AnnAssign) for n in ast.walk(a.annotation) if isinstance(n, ast.Name)}
                self.assertEqual(own & used, set(), (name, defined.name))

    def test_properties_are_not_asked_for_by_their_storage(self):
        """Since 5.0 the items of a block or an operator no longer include properties of bpy.props."""
        for name, text in sources():
            self.assertIsNone(re.search(r'\bproperties(\[|\.keys\(\)|\.items\(\)|\.get\()|\bscene\.reanima\[|\bself\[', text), name)

    def test_the_manifest_agrees_with_the_add_on_and_the_project(self):
        folder = os.path.join(SOURCE, 'blender', 'reanima')
        with open(os.path.join(folder, 'blender_manifest.toml'), 'rb') as file:
            manifest = tomllib.load(file)
        with open(os.path.join(folder, '__init__.py'), encoding='utf-8') as file:
            told = next(ast.literal_eval(n.value) for n in ast.parse(file.read()).body if isinstance(n, ast.Assign) and n.targets[0].id == 'bl_info')
        with open(os.path.join(SOURCE, 'CMakeLists.txt'), encoding='utf-8') as file:
            project = re.search(r'project\(\s*reanima\s+VERSION\s+([0-9.]+)', file.read()).group(1)
        self.assertEqual(manifest['version'], project)
        self.assertEqual('.'.join(map(str, told['version'])), project)
        self.assertEqual([manifest['name'], manifest['tagline']], [told['name'], told['description']])
        # manual, "How to create extensions": what a manifest must have; at most 64 letters and no full stop
        for key, value in (('schema_version', '1.0.0'), ('id', 'reanima'), ('type', 'add-on'), ('blender_version_min', '4.2.0')):
            self.assertEqual(manifest[key], value)
        self.assertEqual(manifest['license'], ['SPDX:GPL-3.0-or-later'])
        self.assertTrue(manifest['maintainer'])
        for text in [manifest['tagline']] + list(manifest['permissions'].values()):
            self.assertLessEqual(len(text), 64)
            self.assertNotIn(text[-1], '.!')


if __name__ == '__main__':
    unittest.main()
