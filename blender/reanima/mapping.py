# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar of the 3D view: a mapping of joints to edit and save, and the report of the last import."""
import json
import os
import re
import tempfile

import bpy
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import armature, preferences, progress
from .command import CommandError

# The dialog uses these settings of the sidebar, since only the sidebar has buttons to choose files.
LABELS = {'source_skeleton': 'Game\'s skeleton', 'names': 'Names file', 'video_folder': 'Frames folder'}
SURE = 0.8    # confidence above which binding uses a line without confirmation


class REANIMA_PG_name(bpy.types.PropertyGroup):
    """A name, in the existing member `name`."""


class REANIMA_PG_line(bpy.types.PropertyGroup):
    """A line of a report."""
    level: bpy.props.StringProperty()


class REANIMA_PG_link(bpy.types.PropertyGroup):
    """A line of a mapping. `stored` is its JSON in the file, with members that are not shown."""
    role: bpy.props.StringProperty(name='Role')
    source: bpy.props.StringProperty(name='Joint', description='The game\'s joint that the bone follows. Empty: none')
    target: bpy.props.StringProperty(name='Bone', description='The bone of your armature')
    confidence: bpy.props.FloatProperty()
    reason: bpy.props.StringProperty()
    stored: bpy.props.StringProperty()


class REANIMA_PG_mapping(bpy.types.PropertyGroup):
    """The mapping of the scene, with its settings."""
    source: bpy.props.StringProperty(name='Animation', subtype='FILE_PATH', description='A file of the game, or ARCHIVE:ENTRY')
    model: bpy.props.StringProperty(name='Model', description='Id of the model, if the file contains several')
    links: bpy.props.CollectionProperty(type=REANIMA_PG_link)
    active_link: bpy.props.IntProperty()
    joints: bpy.props.CollectionProperty(type=REANIMA_PG_name)
    stored: bpy.props.StringProperty(description='The mapping without its lines')
    lines: bpy.props.CollectionProperty(type=REANIMA_PG_line)
    source_skeleton: bpy.props.StringProperty(name=LABELS['source_skeleton'], subtype='FILE_PATH', description='Skeleton file of the game, if it is not beside the animation')
    names: bpy.props.StringProperty(name=LABELS['names'], subtype='FILE_PATH', description='CSV file with names for clips and joints')
    video_folder: bpy.props.StringProperty(name=LABELS['video_folder'], subtype='DIR_PATH', description='Folder in which the frames of videos are saved')


def remember(context, paths):
    """Sets the file that the panel works on."""
    if paths and not os.path.isdir(paths[0]):
        context.scene.reanima.source = paths[0]


def show_report(context, lines):
    shown = context.scene.reanima.lines
    shown.clear()
    for level, text in lines:
        line = shown.add()
        line.name, line.level = text, level


def take_mapping(state, mapping):
    """Shows a mapping."""
    state.links.clear()
    for link in mapping.get('joints', []):
        add_link(state, link)
    state.stored = json.dumps({k: v for k, v in mapping.items() if k != 'joints'})
    state.active_link = 0


def add_link(state, link):
    row = state.links.add()
    row.role, row.reason = link.get('role') or '', link.get('reason') or ''
    row.source, row.target = str(link.get('source', '')), str(link.get('target', ''))
    row.confidence = 1.0 if link.get('confidence') is None else link['confidence']
    row.stored = json.dumps(link)


def mapping_of(state):
    """The mapping in the panel. A line loses its remarks if the user changed its source."""
    mapping = json.loads(state.stored) if state.stored else {'schema': 1, 'by_name': False}
    mapping['joints'] = []
    for row in state.links:
        link = json.loads(row.stored) if row.stored else {}
        if row.source != str(link.get('source', '')) or row.target != str(link.get('target', '')):
            link = {'role': row.role} if row.role else {}
        mapping['joints'].append(dict(link, source=row.source, target=row.target))
    return mapping


class REANIMA_OT_suggest(progress.Worker, bpy.types.Operator):
    """Let reanima propose which joint each bone of the active armature follows"""
    bl_idname = 'reanima.suggest'
    bl_label = 'Suggest'
    bl_options = {'UNDO'}

    @classmethod
    def poll(cls, context):
        return armature.of(context.active_object) is not None and context.scene.reanima.source != ''

    def execute(self, context):
        return self.work(context, self.suggesting(context))

    def suggesting(self, context):
        """Work."""
        state = context.scene.reanima
        source = bpy.path.abspath(state.source)
        try:
            command = preferences.command(context)
            with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
                rig = os.path.join(folder, 'rig.gltf')
                armature.write_rig(armature.of(context.active_object), rig)
                given = bpy.path.abspath(state.source_skeleton)
                options = (['--model=' + state.model] if state.model else []) + (['--source-skeleton=' + given] if given else [])
                found = yield from command.suggest([source], rig, options)
            told = (yield from command.info([source], ['--skeleton=' + given] if given else []))[0]
            joints = [j['name'] for j in told.get('joints', []) if not state.model or str(j.get('model')) == state.model]
        except CommandError as error:
            self.report({'ERROR'}, str(error))
            return {'CANCELLED'}
        take_mapping(state, found)
        state.joints.clear()
        for name in joints:
            state.joints.add().name = name
        self.report({'INFO'}, '%d bones follow a joint.' % sum(bool(r.source and r.target) for r in state.links))
        return {'FINISHED'}


class REANIMA_OT_link(bpy.types.Operator):
    """Add or remove a line of the mapping"""
    bl_idname = 'reanima.link'
    bl_label = 'Edit mapping'
    bl_options = {'UNDO', 'INTERNAL'}
    change: bpy.props.EnumProperty(items=(('ADD', 'Add', 'Add a line for the active bone'), ('REMOVE', 'Remove', 'Remove the line')))

    def execute(self, context):
        state = context.scene.reanima
        if self.change == 'ADD':
            bone = context.active_bone or context.active_pose_bone
            add_link(state, {'source': '', 'target': bone.name if bone else ''})
            state.active_link = len(state.links) - 1
        elif state.links:
            state.links.remove(state.active_link)
            state.active_link = max(0, min(state.active_link, len(state.links) - 1))
        return {'FINISHED'}


class REANIMA_OT_save_map(bpy.types.Operator, ExportHelper):
    """Save the mapping, which the command reads with --map"""
    bl_idname = 'reanima.save_map'
    bl_label = 'Save'
    filename_ext = '.json'
    filter_glob: bpy.props.StringProperty(default='*.json', options={'HIDDEN'})

    def execute(self, context):
        try:
            with open(self.filepath, 'w', encoding='utf-8') as file:
                json.dump(mapping_of(context.scene.reanima), file, indent=1, ensure_ascii=False)
                file.write('\n')
        except OSError as error:
            self.report({'ERROR'}, str(error))
            return {'CANCELLED'}
        self.report({'INFO'}, 'Saved %s.' % self.filepath)
        return {'FINISHED'}


class REANIMA_OT_load_map(bpy.types.Operator, ImportHelper):
    """Load a mapping that was saved, or made by reanima bind"""
    bl_idname = 'reanima.load_map'
    bl_label = 'Load'
    bl_options = {'UNDO'}
    filter_glob: bpy.props.StringProperty(default='*.json', options={'HIDDEN'})

    def execute(self, context):
        try:
            with open(self.filepath, encoding='utf-8') as file:
                mapping = json.load(file)
            if not isinstance(mapping, dict) or not all(isinstance(link, dict) for link in mapping.get('joints', [])):
                raise ValueError('it is not a mapping')
        except (OSError, ValueError) as error:
            self.report({'ERROR'}, '%s: %s' % (self.filepath, error))
            return {'CANCELLED'}
        take_mapping(context.scene.reanima, mapping)
        return {'FINISHED'}


class REANIMA_OT_import_mapped(bpy.types.Operator):
    """Choose clips of this animation and bind them to the active armature with this mapping"""
    bl_idname = 'reanima.import_mapped'
    bl_label = 'Import with this mapping'

    @classmethod
    def poll(cls, context):
        return REANIMA_OT_suggest.poll(context) and len(context.scene.reanima.links) > 0

    def execute(self, context):
        source = bpy.path.abspath(context.scene.reanima.source)
        return bpy.ops.import_scene.reanima('INVOKE_DEFAULT', filepath=source, target='ACTIVE', map_from='PANEL')


def in_words(role):
    """A role in words. leftUpperArm: Left upper arm"""
    return re.sub('[A-Z]', lambda letter: ' ' + letter.group().lower(), role).strip().capitalize()


class REANIMA_UL_links(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        sign = 'X' if not (item.source and item.target) else 'CHECKMARK' if item.confidence >= SURE else 'QUESTION'
        column = layout.column(align=True)      # one per line, since the sidebar is narrow
        column.scale_y = 0.75
        if item.role:
            column.label(text=in_words(item.role), icon=sign)
        column.label(text=item.target or '-', icon='BLANK1' if item.role else sign)
        column.label(text='\u2190 ' + (item.source or '-'), icon='BLANK1')
        column.separator(factor=0.8)

    def filter_items(self, context, data, name):
        words = self.filter_name.lower()
        shown = [self.bitflag_filter_item if words in (i.source + ' ' + i.target + ' ' + i.role).lower() else 0 for i in getattr(data, name)]
        return shown, []


class Sidebar:
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'UI'
    bl_category = 'Reanima'


def draw_below_label(layout, data, name, label):
    """Draws a label above a path, since the sidebar is too narrow for both in a line."""
    column = layout.column(align=True)
    column.label(text=label)
    column.prop(data, name, text='')


class REANIMA_PT_import(Sidebar, bpy.types.Panel):
    bl_label = 'Classic game animation'

    def draw(self, context):
        self.layout.operator('import_scene.reanima_open', text='Import...', icon='IMPORT')


class REANIMA_PT_files(Sidebar, bpy.types.Panel):
    bl_label = 'Files for the import'
    bl_parent_id = 'REANIMA_PT_import'
    bl_options = {'DEFAULT_CLOSED'}

    def draw(self, context):
        for name, label in LABELS.items():
            draw_below_label(self.layout, context.scene.reanima, name, label)


class REANIMA_PT_report(Sidebar, bpy.types.Panel):
    bl_label = 'Last import or export'

    @classmethod
    def poll(cls, context):
        return len(context.scene.reanima.lines) > 0

    def draw(self, context):
        column = self.layout.column(align=True)
        column.scale_y = 0.8
        for line in context.scene.reanima.lines:
            for i, part in enumerate(wrapped(line.name, letters(context) - 4)):
                column.label(text=part, icon='BLANK1' if i else {'INFO': 'INFO', 'WARNING': 'ERROR'}.get(line.level, 'CANCEL'))


class REANIMA_PT_mapping(Sidebar, bpy.types.Panel):
    bl_label = 'Joint mapping'

    def draw(self, context):
        layout, state = self.layout, context.scene.reanima
        owner = armature.of(context.active_object)
        draw_below_label(layout, state, 'source', 'Animation')
        row = layout.row()
        row.prop(state, 'model')
        row.operator(REANIMA_OT_suggest.bl_idname, icon='VIEWZOOM')
        if owner is None:
            layout.label(text='Select an armature.', icon='INFO')
            return
        layout.label(text='%d bones, %d follow a joint' % (len(owner.data.bones), sum(bool(r.source and r.target) for r in state.links)))
        layout.template_list('REANIMA_UL_links', '', state, 'links', state, 'active_link', rows=5)
        row = layout.row(align=True)      # below the list, whose names need the whole width
        row.operator(REANIMA_OT_link.bl_idname, icon='ADD', text='Add').change = 'ADD'
        row.operator(REANIMA_OT_link.bl_idname, icon='REMOVE', text='Remove').change = 'REMOVE'
        if 0 <= state.active_link < len(state.links):
            self.draw_link(layout.box(), state, state.links[state.active_link], owner, letters(context) - 4)
        row = layout.row(align=True)
        row.operator(REANIMA_OT_save_map.bl_idname, icon='FILE_TICK', text='Save...')
        row.operator(REANIMA_OT_load_map.bl_idname, icon='FILE_FOLDER', text='Load...')
        layout.operator(REANIMA_OT_import_mapped.bl_idname, icon='IMPORT')

    @staticmethod
    def draw_link(box, state, link, owner, width):
        box.prop_search(link, 'target', owner.data, 'bones', icon='BONE_DATA')
        if len(state.joints):
            box.prop_search(link, 'source', state, 'joints', icon='EMPTY_AXIS')
        else:
            box.prop(link, 'source')
        column = box.column(align=True)
        column.scale_y = 0.8
        if link.role:
            column.label(text=in_words(link.role))
            column.label(text='Confidence %.2f' % link.confidence)
        for part in wrapped(link.reason, width):
            column.label(text=part)


def letters(context):
    """The approximate number of letters in a line of the sidebar."""
    return max(20, int(context.region.width / context.preferences.system.ui_scale / 7.5))


def wrapped(text, width):
    """Splits a text into lines. A label of Blender has only one."""
    lines = ['']
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append('')
        lines[-1] += (' ' if lines[-1] else '') + word
    return [line for line in lines if line]


CLASSES = (REANIMA_PG_name, REANIMA_PG_line, REANIMA_PG_link, REANIMA_PG_mapping, REANIMA_OT_suggest, REANIMA_OT_link, REANIMA_OT_save_map,
           REANIMA_OT_load_map, REANIMA_OT_import_mapped, REANIMA_UL_links, REANIMA_PT_import, REANIMA_PT_files,
           REANIMA_PT_mapping, REANIMA_PT_report)


def register():
    for c in CLASSES:
        bpy.utils.register_class(c)
    bpy.types.Scene.reanima = bpy.props.PointerProperty(type=REANIMA_PG_mapping)


def unregister():
    del bpy.types.Scene.reanima
    for c in reversed(CLASSES):
        bpy.utils.unregister_class(c)
