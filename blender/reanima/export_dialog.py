# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Classic game animation: shows differences from the game's files, and exports."""
import os

import bpy

from . import armature, exporting, importing, mapping, preferences, progress, versions
from .command import CommandError, shortened
from .glb import GlbError
from .operators import NAME


class REANIMA_PG_export(bpy.types.PropertyGroup):
    """An action, by its name."""
    use: bpy.props.BoolProperty(name='Write')
    where: bpy.props.StringProperty()
    told: bpy.props.StringProperty()
    differs: bpy.props.BoolProperty()
    failed: bpy.props.BoolProperty()


class REANIMA_UL_exports(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        row = layout.split(factor=0.25)
        name = row.row(align=True)
        name.prop(item, 'use', text='')
        name.label(text=item.name, icon='ACTION')
        row = row.split(factor=0.25)
        row.label(text=item.where)
        row.label(text=item.told, icon='ERROR' if item.failed else 'GREASEPENCIL' if item.differs else 'BLANK1')


class REANIMA_OT_export(progress.Worker, bpy.types.Operator):
    """Write changed actions back into the game's files that they were imported from"""
    bl_idname = 'export_scene.reanima'
    bl_label = 'Export classic game animation'

    only: bpy.props.StringProperty(name='Only', options={'SKIP_SAVE', 'HIDDEN'},
                                   description='For scripts: names of actions, separated by commas. Empty: all, or what is chosen in the dialog')
    rows: bpy.props.CollectionProperty(type=REANIMA_PG_export, options={'SKIP_SAVE', 'HIDDEN'})
    active_row: bpy.props.IntProperty(options={'SKIP_SAVE', 'HIDDEN'})
    looked: bpy.props.BoolProperty(options={'SKIP_SAVE', 'HIDDEN'}, description='The differences are known')
    folder: bpy.props.StringProperty(name='Write into', options={'SKIP_SAVE'}, description='Folder for the game\'s files. Empty: replace the game\'s files, and keep the originals beside them as NAME.bak')
    originals: bpy.props.StringProperty(name='Game\'s files', options={'SKIP_SAVE'}, description='Folder with the game\'s files, if they are no longer where they were imported from')
    lossy: bpy.props.BoolProperty(name='Leave out losses', options={'SKIP_SAVE'}, description='Leave out what the game\'s format cannot store, such as moved joints and scales, instead of refusing the export')
    other: bpy.props.BoolProperty(name='All may differ', options={'SKIP_SAVE'}, description='Write even if most joints differ in all clips of a file')

    def invoke(self, context, event):
        return self.work(context, self.opening(context))

    def opening(self, context):
        """Compares the actions with the game's files, and shows the dialog: work."""
        if not self.looked:
            try:
                yield from self.look(context)
            except (CommandError, GlbError) as error:
                return self.fail(context, str(error))
        if self.is_working():      # an operator that ran in the background can't show a dialog
            given = {n: getattr(self, n) for n in ('only', 'folder', 'originals', 'lossy', 'other')}
            rows = [{n: getattr(r, n) for n in ('name', 'use', 'where', 'told', 'differs', 'failed')} for r in self.rows]
            bpy.ops.export_scene.reanima('INVOKE_DEFAULT', looked=True, rows=rows, **given)
            return {'CANCELLED'}
        return versions.ask(context.window_manager, self, 'Export', width=720)

    def look(self, context):
        owner, rows = self.found(context)
        passes = passes_of(rows)
        for done, some in enumerate(passes):
            looked = exporting.Exporter(context, preferences.command(context), owner, some, self.settings()).look()
            yield from progress.share(looked, done / len(passes), 1 / len(passes))
        played = owner.animation_data.action if owner.animation_data else None
        used = {}
        for row in rows:
            same = (*row.of[:3], row.origin.get('index'))
            if row.status not in ('kept', 'failed') and (same not in used or row.action == played):
                used[same] = row.action.name
        for row in rows:
            shown = self.rows.add()
            shown.name, shown.where, shown.told = row.action.name, where(row), row.told
            shown.differs, shown.failed = row.status not in ('kept', 'failed'), row.status == 'failed'
            shown.use = row.action.name in used.values()

    def found(self, context):
        """The armature, and the actions that may be written."""
        owner = armature.of(context.view_layer.objects.active)
        if owner is None:
            raise CommandError('The active object is not an armature. Select the armature whose actions to write.')
        rows = exporting.rows_of(owner, bpy.data.actions, bpy.data.armatures, importing.scene_rate(context.scene))
        wanted = [n.strip() for n in self.only.split(',') if n.strip()]
        unknown = [n for n in wanted if n not in [r.action.name for r in rows]]
        if unknown:
            raise CommandError('No imported action of %s is called %s. Available actions: %s.' % (owner.name, ', '.join(unknown), shortened([r.action.name for r in rows])))
        rows = [r for r in rows if not wanted or r.action.name in wanted]
        if not rows:
            raise CommandError('%s has no action that this add-on imported. Only imported actions know which file they are from.' % owner.name)
        return owner, rows

    def settings(self):
        absolute = lambda path: bpy.path.abspath(path) if path else ''
        return exporting.Settings(absolute(self.folder), absolute(self.originals), self.lossy, self.other)

    def draw(self, context):
        layout = self.layout
        changed = sum(r.differs for r in self.rows)
        failed = sum(r.failed for r in self.rows)
        layout.label(text='%d of %d actions differ from the game\'s files.' % (changed, len(self.rows)), icon='INFO')
        if failed:
            layout.label(text='%d could not be compared. If their files were moved, choose the folder under "Game\'s files", and select the actions.' % failed, icon='ERROR')
        layout.template_list('REANIMA_UL_exports', '', self, 'rows', self, 'active_row', rows=10)
        column = layout.column()
        column.use_property_split = True
        for name in ('folder', 'originals', 'lossy', 'other'):
            column.prop(self, name)
        if not self.folder:
            layout.label(text='The game\'s files are replaced; the originals are kept beside them as NAME.bak.', icon='FILE_BACKUP')

    def execute(self, context):
        return self.work(context, self.exporting(context))

    def exporting(self, context):
        """Exports. Work."""
        try:
            owner, rows = self.found(context)
            if self.rows:
                used = {r.name for r in self.rows if r.use}
                rows = [r for r in rows if r.action.name in used]
                if not rows:
                    raise CommandError('Nothing was chosen to export.')
            report = yield from exporting.Exporter(context, preferences.command(context), owner, rows, self.settings()).write()
        except (CommandError, GlbError) as error:
            return self.fail(context, str(error))
        for row in rows:
            if row.status != 'kept':
                report.info('%s: %s' % (row.action.name, row.told))
        mapping.show_report(context, report.lines)
        for level, text in report.lines:
            self.report({level}, text)
        return {'FINISHED'}

    def cancelled(self, context):
        mapping.show_report(context, [('INFO', progress.CANCELLED)])
        return super().cancelled(context)

    def fail(self, context, text):
        mapping.show_report(context, [('ERROR', line) for line in text.splitlines()])
        self.report({'ERROR'}, text)
        return {'CANCELLED'}


def passes_of(rows):
    """Splits rows into passes. No pass has two rows of the same clip."""
    passes, seen = [], {}
    for row in rows:
        same = (*row.of[:3], row.origin.get('index'))
        seen[same] = seen.get(same, 0) + 1
        if seen[same] > len(passes):
            passes.append([])
        passes[seen[same] - 1].append(row)
    return passes


def where(row):
    """The file without its folder, or the entry, and the model."""
    short = os.path.basename(row.origin['file']) + (':' + row.origin['entry'] if row.origin['entry'] else '')
    model = row.origin.get('model')
    return short if model is None else '%s, %s' % (short, model)


def menu(self, context):
    self.layout.operator(REANIMA_OT_export.bl_idname, text=NAME)


CLASSES = (REANIMA_PG_export, REANIMA_UL_exports, REANIMA_OT_export)


def register():
    for c in CLASSES:
        bpy.utils.register_class(c)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    for c in reversed(CLASSES):
        bpy.utils.unregister_class(c)
