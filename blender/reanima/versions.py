# SPDX-License-Identifier: GPL-3.0-or-later
"""The differences between Blender 3.4 and 5.x.

Actions have slots since 4.4, and since 5.0 all curves are in slots. Groups are made and set one by one, since
ActionChannelbagFCurves.new() has no `group_name` before 5.0. File handlers exist since 4.1. `sequences` of the video
editor became `strips` in 4.4; the manual of 5.1 names a strip's length `duration`. `Mesh.use_auto_smooth` was removed
in 4.1. `Material.blend_method` became `surface_render_method` in 4.2.
"""
import bpy

_handler = None


class Curves:
    """The curves of a new action, for one object."""

    def __init__(self, action, owner):
        self.action, self.slot, self._groups = action, None, {}
        if hasattr(action, 'slots'):
            self.slot = action.slots.new(id_type='OBJECT', name=owner.name)
            strip = action.layers.new('Layer').strips.new(type='KEYFRAME')
            self._channels = strip.channelbag(self.slot, ensure=True)
        else:
            action.id_root = 'OBJECT'
            self._channels = action

    def new(self, path, index, group):
        """A curve in the group of this name."""
        curve = self._channels.fcurves.new(path, index=index)
        if group not in self._groups:
            self._groups[group] = self._channels.groups.new(group)
        curve.group = self._groups[group]
        return curve


def curves_of(action, slot=None):
    """Every curve of an action. slot: only of this one (4.4 and later)"""
    if not hasattr(action, 'layers'):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags if slot is None or bag.slot == slot for curve in bag.fcurves]


def play(owner, action, slot=None):
    """Assigns an action to an object. slot: the slot that Curves made; None: the action's first slot"""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if hasattr(data, 'action_slot') and action is not None and len(action.slots):
        data.action_slot = slot if slot is not None else action.slots[0]


def strips(scene):
    """The strips of the scene's video editor, which is created if missing."""
    editor = scene.sequence_editor or scene.sequence_editor_create()
    return editor.strips if hasattr(editor, 'strips') else editor.sequences


def set_length(strip, frames):
    """Sets the number of frames of a strip."""
    setattr(strip, 'frame_final_duration' if hasattr(strip, 'frame_final_duration') else 'duration', frames)


def show_transparency(material, cut):
    """Makes a material transparent: with hard edges (cut), or blended."""
    if hasattr(material, 'surface_render_method'):
        material.surface_render_method = 'DITHERED' if cut else 'BLENDED'
    else:
        material.blend_method = 'CLIP' if cut else 'BLEND'


def set_normals(mesh, normals):
    """Sets custom normals of a mesh, one per vertex."""
    if hasattr(mesh, 'use_auto_smooth'):   # until 4.0, custom normals are only shown with this setting
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(normals)


def ask(manager, operator, verb, width):
    """Shows an operator's dialog. Its button has a separate verb since 4.1."""
    told = {'confirm_text': verb} if bpy.app.version >= (4, 1, 0) else {}
    return manager.invoke_props_dialog(operator, width=width, **told)


def nodes_of(material):
    """The node tree of a new material."""
    if bpy.app.version < (5, 0, 0):   # since 5.0 every material has nodes, and the switch is deprecated
        material.use_nodes = True
    return material.node_tree


def register_file_handler(extensions, operator):
    """Allows dropping files with these extensions on the 3D view and the outliner (4.1 and later)."""
    global _handler
    if not hasattr(bpy.types, 'FileHandler'):
        return
    _handler = type('REANIMA_FH_animation', (bpy.types.FileHandler,), {
        'bl_idname': 'REANIMA_FH_animation', 'bl_label': 'Classic game animation: Final Fantasy VII-IX, Metroid Prime (reanima)', 'bl_import_operator': operator,
        'bl_file_extensions': ';'.join(extensions),
        'poll_drop': classmethod(lambda cls, context: context.area is not None and context.area.type in {'VIEW_3D', 'OUTLINER'})})
    bpy.utils.register_class(_handler)


def unregister_file_handler():
    global _handler
    if _handler is not None:
        bpy.utils.unregister_class(_handler)
        _handler = None
