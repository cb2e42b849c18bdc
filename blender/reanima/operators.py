# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Classic game animation: the file browser, the dialog with the clips, and the import."""
import json
import os
import tempfile

import bpy
from bpy_extras.io_utils import ImportHelper

from . import armature, contents, extensions, importing, jobs, mapping, preferences, progress, versions
from .command import CommandError, shortened
from .glb import GlbError
from .options import Options

IMPORT = 'import_scene.reanima'
NAME = 'Classic game animation: Final Fantasy VII-IX, Metroid Prime (reanima)'
DISCS = ('.iso', '.bin', '.cue', '.chd', '.gcm', '.rvz', '.wia', '.gcz', '.ciso', '.wbfs')
DROPPED = (*extensions.FORMATS, '.lgp', '.img', '.pak', '.zfs', '.fs', '.zzz', *DISCS)
# Extensions for the file browser. Battle files of Final Fantasy VII have names of four letters without an extension.
# Blender 3.4 compares whole paths, and stores up to 255 letters.
KNOWN = ';'.join(['*.ff9*'] + ['*' + e for e in DROPPED if not e.startswith('.ff9')] + ['*' + jobs.ENDING] + [start + name for name in ('??aa', '??da') for start in ('', '*[/\\\\]')])
WHOLE = ('ff9-db', 'ff9-chunk')     # archives with few characters and their animations
MANY = 40     # if there are more clips, none is selected at first

# The last listing: the paths with the options for reading them, and their items. For an archive, its path and
# content. The dialog shows it, and the import uses it.
_listed = {}


def listing(context, properties):
    """The items of files, folders and entries of archives. Work (see progress)."""
    paths, reading = paths_of(properties), list(options_of(properties).reading)
    if properties.source_skeleton and not any(os.path.isdir(p) for p in paths):
        reading += ['--skeleton', absolute(properties.source_skeleton)]
    of = (*paths, *reading)
    if _listed.get('of') != of:
        _listed.pop('of', None)
        items = contents.items_of((yield from preferences.command(context).info(paths, reading)))
        _listed.update(of=of, items=items)
    return _listed['items']


def archive_at(context, path):
    """The content of an archive, and the characters in its entries. None if it is not an archive. Work."""
    if _listed.get('path') != path:
        _listed.pop('path', None)
        command = preferences.command(context)
        archive = yield from command.archive(path)
        if archive is not None and archive['format'] not in WHOLE:
            archive['characters'] = contents.characters_of((yield from command.characters(path)), path)
        _listed.update(path=path, archive=archive)
    return _listed['archive']


ROOT_MOTION = (('keep', 'Keep', 'As in the game'), ('in-place', 'In place', 'Without the horizontal displacement'),
               ('drop', 'Root at rest', 'The root does not move at all'), ('extract', 'On the object', 'The horizontal displacement moves the object, or the ground bone'))


class REANIMA_PG_clip(bpy.types.PropertyGroup):
    use: bpy.props.BoolProperty(name='Import', default=True)
    where: bpy.props.StringProperty()
    kind: bpy.props.StringProperty()
    format: bpy.props.StringProperty()
    dressed: bpy.props.BoolProperty()
    frames: bpy.props.IntProperty()
    seconds: bpy.props.FloatProperty()
    rate: bpy.props.FloatProperty()


class REANIMA_PG_entry(bpy.types.PropertyGroup):
    use: bpy.props.BoolProperty()
    who: bpy.props.StringProperty(description='The characters in it')
    type: bpy.props.StringProperty()
    size: bpy.props.IntProperty()


def matches(search, *texts):
    """Whether each word of a search is in one of the texts."""
    whole = ' '.join(texts).lower()
    return all(word in whole for word in search.lower().split())


class SearchedList(bpy.types.UIList):
    """A list with a search field above it."""

    def searched(self, data):
        return ''

    def filter_items(self, context, data, name):
        search = self.searched(data)
        return [self.bitflag_filter_item if matches(search, i.name, getattr(i, 'where', '')) else 0 for i in getattr(data, name)], []

    def draw_filter(self, context, layout):
        pass


class REANIMA_UL_clips(SearchedList):
    def searched(self, data):
        return data.search

    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        row = layout.row(align=True)
        row.prop(item, 'use', text='')
        row.label(text=item.name, icon={contents.CLIP: 'ACTION', contents.VIDEO: 'IMAGE_DATA'}.get(item.kind, 'ARMATURE_DATA'))
        row.label(text=item.where)
        if item.kind != contents.SKELETON:
            row.label(text='%d frames, %.2f s, %.4g fps' % (item.frames, item.seconds, item.rate))


class REANIMA_UL_people(SearchedList):
    """Characters. A click chooses all clips of one, another click none."""

    def searched(self, data):
        return data.search

    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        own = [c.use for c in data.clips if c.where == item.name]
        row = layout.split(factor=0.8)
        row.label(text=item.name, icon='CHECKBOX_HLT' if any(own) else 'CHECKBOX_DEHLT')
        row.label(text='%d of %d' % (sum(own), len(own)))


class REANIMA_UL_entries(SearchedList):
    """Characters by their names, or all entries. A click chooses one, another click leaves it out again."""

    def searched(self, data):
        return data.entry_search

    def filter_items(self, context, data, name):
        entries = getattr(data, name)
        known = not data.all_entries and any(e.who for e in entries)
        shown = [(not known or e.who or e.use) and matches(data.entry_search, e.name, e.who, e.type) for e in entries]
        return [self.bitflag_filter_item if s else 0 for s in shown], []

    def draw_item(self, context, layout, data, item, icon, active_data, active_property):
        row = layout.split(factor=0.4)
        row.label(text=item.who or item.name, icon='CHECKBOX_HLT' if item.use else 'CHECKBOX_DEHLT')
        row.label(text=item.name if item.who else '')
        row.label(text=item.type)
        row.label(text='%d bytes' % item.size if item.size else '')


def paths_of(properties):
    """The chosen paths in an operator's properties: files, a folder, or entries of an archive."""
    paths = [os.path.join(properties.directory, f.name) for f in properties.files if f.name]
    paths = [bpy.path.abspath(p) for p in paths or [properties.filepath] if p]
    used = [e.name for e in properties.entries if e.use] or [properties.entry] if len(paths) == 1 else []
    return ['%s:%s' % (paths[0], e) for e in used if e] or paths


def options_of(properties):
    reading = ['--rate', '%.9g' % properties.play_rate] if properties.play_rate > 0 else []
    return Options(properties.more, reading + (['--weapon', properties.weapon.strip()] if properties.weapon.strip() else []))


def fill_clips(properties, context):
    """Shows the content of the chosen paths. Earlier items keep their selection. Work."""
    items = yield from listing(context, properties)
    used = {(c.where, c.name): c.use for c in properties.clips}
    properties.clips.clear()
    for item in items:
        clip = properties.clips.add()
        clip.name, clip.where, clip.kind, clip.format, clip.dressed = item.name, item.where, item.kind, item.format, item.dressed
        clip.frames, clip.seconds, clip.rate = item.frames, item.seconds, item.rate or 0.0
        clip.use = used.get((clip.where, clip.name), len(items) <= MANY)
    properties.people.clear()
    for where in dict.fromkeys(item.where for item in items):
        properties.people.add().name = where


def show_clips(properties, context):
    """Runs fill_clips() at once, and shows errors. While the dialog is open, no work can run, so longer work waits for OK."""
    properties.problem, steps = '', fill_clips(properties, context)
    try:
        properties.unread = not progress.worked(steps, progress.SOON)[0]
    except CommandError as error:
        properties.problem, properties.unread = str(error).splitlines()[0], False
    if properties.unread:
        steps.close()
        properties.clips.clear()
        properties.problem = 'Reading takes a while. Confirm the dialog: it opens again with the clips.'


def person_chosen(properties, context):
    """Selects or deselects all clips of the clicked character."""
    if not 0 <= properties.active_person < len(properties.people):
        return
    own = [c for c in properties.clips if c.where == properties.people[properties.active_person].name]
    use = not any(c.use for c in own)
    for clip in own:
        clip.use = use
    properties.active_person = -1      # so that another click counts


def entry_chosen(properties, context):
    """Selects or deselects the clicked entry, and shows the clips of the selected ones."""
    if not 0 <= properties.active_entry < len(properties.entries):
        return
    entry = properties.entries[properties.active_entry]
    entry.use = not entry.use
    properties.active_entry = -1      # so that another click counts
    properties.clips.clear()
    if any(e.use for e in properties.entries):
        show_clips(properties, context)


def names_offered(properties, context):
    """Uses or ignores the names file beside the input."""
    properties.names = properties.names_beside if properties.use_beside else ''


def options_changed(properties, context):
    """Lists the clips again with the new options, if a dialog shows clips."""
    if properties.clips or properties.problem:
        show_clips(properties, context)


def button(name, use):
    """The update of a property that acts as a button, since the dialog can't contain operators. It selects all clips of
    the search, or none, and resets itself."""
    def pressed(properties, context):
        if not getattr(properties, name):      # the property was reset
            return
        for clip in properties.clips:
            if matches(properties.search, clip.name, clip.where):
                clip.use = use
        setattr(properties, name, False)
    return pressed


class REANIMA_OT_import(progress.Worker, bpy.types.Operator):
    """Import animations of classic games as actions"""
    bl_idname = IMPORT
    bl_label = 'Import classic game animation'
    bl_options = {'REGISTER', 'UNDO', 'PRESET'}

    filepath: bpy.props.StringProperty(subtype='FILE_PATH', options={'SKIP_SAVE', 'HIDDEN'}, description='A file, an archive or a folder')
    directory: bpy.props.StringProperty(subtype='DIR_PATH', options={'SKIP_SAVE', 'HIDDEN'})
    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={'SKIP_SAVE', 'HIDDEN'})
    entry: bpy.props.StringProperty(name='Entry', options={'SKIP_SAVE', 'HIDDEN'}, description='Entry of the archive')
    only: bpy.props.StringProperty(name='Only', options={'SKIP_SAVE', 'HIDDEN'},
                                   description='For scripts: names of clips or characters, separated by commas. Empty: all, or what is chosen in the dialog')
    clips: bpy.props.CollectionProperty(type=REANIMA_PG_clip, options={'SKIP_SAVE', 'HIDDEN'})
    active_clip: bpy.props.IntProperty(options={'SKIP_SAVE', 'HIDDEN'})
    people: bpy.props.CollectionProperty(type=mapping.REANIMA_PG_name, options={'SKIP_SAVE', 'HIDDEN'})
    active_person: bpy.props.IntProperty(default=-1, options={'SKIP_SAVE', 'HIDDEN'}, update=person_chosen)
    search: bpy.props.StringProperty(name='Search', options={'SKIP_SAVE', 'TEXTEDIT_UPDATE'}, description='Show clips whose name or file has these words')
    choose_all: bpy.props.BoolProperty(name='All', options={'SKIP_SAVE'}, update=button('choose_all', True), description='Choose all clips that are shown')
    choose_none: bpy.props.BoolProperty(name='None', options={'SKIP_SAVE'}, update=button('choose_none', False), description='Choose none of the clips that are shown')
    entries: bpy.props.CollectionProperty(type=REANIMA_PG_entry, options={'SKIP_SAVE', 'HIDDEN'})
    active_entry: bpy.props.IntProperty(default=-1, options={'SKIP_SAVE', 'HIDDEN'}, update=entry_chosen)
    all_entries: bpy.props.BoolProperty(name='All files', options={'SKIP_SAVE'}, description='Show all files of the archive, not only those with characters')
    entry_search: bpy.props.StringProperty(name='Search', options={'SKIP_SAVE', 'TEXTEDIT_UPDATE'}, description='Show entries whose name or characters have these words')
    problem: bpy.props.StringProperty(options={'SKIP_SAVE', 'HIDDEN'})
    unread: bpy.props.BoolProperty(options={'SKIP_SAVE', 'HIDDEN'}, description='The clips could not be listed at once')
    listed: bpy.props.BoolProperty(options={'SKIP_SAVE', 'HIDDEN'}, description='The clips were listed just now')

    target: bpy.props.EnumProperty(name='Import onto', items=(
        ('NEW', 'New armature', 'Make an armature from the game\'s skeleton'),
        ('ACTIVE', 'Active armature', 'Retarget the clips to the active armature, by the roles of its bones or by a mapping')))
    map_from: bpy.props.EnumProperty(name='Mapping', items=(
        ('ROLES', 'Automatic', 'By the roles of the bones, from their names or the shape of the armature'),
        ('PANEL', 'Sidebar', 'The mapping in the sidebar of the 3D view, tab Reanima'),
        ('FILE', 'File', 'A mapping file')))
    # There is no button to choose a file, since it would close the dialog. The sidebar has one.
    map_file: bpy.props.StringProperty(name='Mapping file')
    source_skeleton: bpy.props.StringProperty(name=mapping.LABELS['source_skeleton'], options={'SKIP_SAVE'}, update=options_changed,
                                              description='Skeleton file of the game, if it is not beside the animation')
    mesh: bpy.props.BoolProperty(name='Game\'s mesh', default=True, description='Import the character\'s mesh, textures and weapon')
    # A separate property, since a game's character usually has a mesh.
    mesh_on_active: bpy.props.BoolProperty(name='Game\'s mesh', description='Also put the game\'s mesh on the active armature, for example on a bare rig')
    weapon_bone: bpy.props.BoolProperty(name='Weapon\'s bone', description='Add a bone to the active armature, for the game\'s weapon and its motion. Importing the game\'s mesh adds it, too')
    scale: bpy.props.FloatProperty(name='Scale', default=1.0, min=1e-4, max=1e4, description='Blender units per metre')
    root_scale: bpy.props.FloatProperty(name='Length ratio', default=0.0, min=0.0, max=1e4,
                                        description='Ratio of the armature\'s lengths to those of the game\'s skeleton; 0: from the legs')
    root_motion: bpy.props.EnumProperty(name='Root motion', items=ROOT_MOTION)
    again: bpy.props.EnumProperty(name='Earlier import', description='What to do with earlier actions of the same clips on this armature', items=(
        ('UPDATE', 'Update', 'The new actions replace the earlier ones'), ('BOTH', 'Keep both', 'The names of the new actions get a prefix'),
        ('NLA', 'To muted NLA', 'The earlier actions go to muted tracks of the NLA editor')))
    prefix: bpy.props.StringProperty(name='Prefix', default='new_', description='Beginning of the names of new actions')
    rate: bpy.props.EnumProperty(name='Frame rate', items=(
        ('AUTO', 'Automatic', 'Set the scene\'s rate if nothing else is animated, else resample the clips'),
        ('CLIPS', 'Set the scene\'s', 'Set the scene\'s rate to that of the clips'),
        ('SCENE', 'Resample', 'Resample the clips at the scene\'s rate')))
    loop_key: bpy.props.BoolProperty(name='Close loops', description='Repeat the first frame at the end of every clip')
    as_assets: bpy.props.BoolProperty(name='Mark as assets', description='Show the actions in the asset browser, with previews. Clips of one frame are poses')
    role_names: bpy.props.BoolProperty(name='Bones by roles', description='Name the bones of new armatures after their parts of the body: upper_arm.L')
    names: bpy.props.StringProperty(name=mapping.LABELS['names'], options={'SKIP_SAVE'}, description='CSV file with names for clips and joints')
    names_beside: bpy.props.StringProperty(options={'SKIP_SAVE', 'HIDDEN'})
    use_beside: bpy.props.BoolProperty(name='Use it', options={'SKIP_SAVE'}, update=names_offered, description='Use the names file beside the input')
    video_as: bpy.props.EnumProperty(name='Videos', items=(('PLANE', 'Plane', 'A plane with an image sequence'),
                                                          ('STRIP', 'Strip', 'A strip in the video sequencer')))
    video_folder: bpy.props.StringProperty(name=mapping.LABELS['video_folder'], options={'SKIP_SAVE'},
                                           description='Folder in which the frames of videos are saved. Empty: beside the .blend file, or beside the video')
    show_more: bpy.props.BoolProperty(name='More settings', options={'SKIP_SAVE'}, description='Show settings that are seldom needed')
    play_rate: bpy.props.FloatProperty(name='Playback rate', default=0.0, min=0.0, max=1000.0, options={'SKIP_SAVE'}, update=options_changed,
                                       description='Play the game\'s frames faster or slower, at this many frames per second; 0: as in the game')
    weapon: bpy.props.StringProperty(name='Weapon', options={'SKIP_SAVE'}, update=options_changed,
                                     description='Number of the weapon (the first is 0), all, or none. Empty: the first weapon that exists')
    more: bpy.props.StringProperty(name='More options', options={'SKIP_SAVE'}, update=options_changed,
                                   description='Options of the command reanima convert, as on a command line, for example: --rest zero --palette 1')

    def invoke(self, context, event):
        if not self.listed:
            _listed.clear()
        return self.work(context, self.opening(context))

    def opening(self, context):
        """Lists the chosen files and shows the dialog. Work."""
        try:
            self.take_job()
            yield from self.list_contents(context)
        except CommandError as error:
            return self.fail(str(error))
        if self.is_working() or self.unread:      # an operator that ran in the background, or whose dialog was confirmed, can't show a dialog
            return self.ask_again()
        mapping.remember(context, paths_of(self))
        for name in mapping.LABELS:
            setattr(self, name, getattr(self, name) or getattr(context.scene.reanima, name))
        self.names_beside = contents.names_beside(paths_of(self)) or ''
        return versions.ask(context.window_manager, self, 'Import', width=720)

    def ask_again(self):
        """Shows another dialog with the same settings and listing."""
        names = [p.identifier for p in self.properties.bl_rna.properties if self.properties.is_property_set(p.identifier)]
        given = {n: getattr(self, n) for n in names if n not in ('rna_type', 'files', 'clips', 'people', 'active_person', 'entries', 'active_entry', 'problem', 'unread')}
        given.update(listed=True, files=[{'name': f.name} for f in self.files],
                     entries=[{n: getattr(e, n) for n in ('name', 'use', 'who', 'type', 'size')} for e in self.entries])
        bpy.ops.import_scene.reanima('INVOKE_DEFAULT', **given)
        return {'CANCELLED'}

    def take_job(self):
        """Replaces a job file by its paths."""
        paths = paths_of(self)
        if len(paths) != 1 or not jobs.is_job(paths[0]):
            return
        job = jobs.read(paths[0])
        self.files.clear()
        self.directory, self.filepath = '', job.paths[0]
        if len(job.paths) > 1:
            for path in job.paths:      # joining keeps absolute paths unchanged
                self.files.add().name = path
        for name, value in job.settings.items():
            setattr(self, name, value)
        if job.aside:
            self.report({'INFO'}, 'Options of the job that have no effect here were left out: %s' % ', '.join(job.aside))

    def list_contents(self, context):
        """Lists the entries of an archive, or the clips of other files and of archives that are opened as a whole.
        Work."""
        paths = paths_of(self)
        if not paths:
            raise CommandError('No file was chosen.')
        if any(e.use for e in self.entries):      # the user selected entries before
            yield from fill_clips(self, context)
            return
        archive = (yield from archive_at(context, paths[0])) if len(paths) == 1 else None
        if archive is None or archive['format'] in WHOLE:
            try:
                yield from fill_clips(self, context)
            except CommandError:
                if archive is None:
                    raise
            if self.clips or archive is None:
                return
        self.entries.clear()
        known = {e['name'] for e in archive['entries']}
        inside = [{'name': n, 'type': None, 'size': 0} for n in archive['characters'] if n not in known]      # characters in the archives of a disc
        for entry in archive['entries'] + inside:
            if not entry.get('damaged'):
                row = self.entries.add()
                row.name, row.type, row.size = entry['name'], str(entry['type'] or ''), min(entry['size'], 2**31 - 1)
                row.who = archive['characters'].get(entry['name'], entry.get('place') or '')

    def draw(self, context):
        # Blender 3.4 crashes if a list is in the panel for the last operation, which has no region.
        if context.region is not None and context.region.type != 'HUD':
            self.draw_lists(self.layout)
        columns = self.layout.column()
        columns.use_property_split = True
        self.draw_settings(context, columns, [c for c in self.clips if c.use] or list(self.clips))

    def draw_lists(self, layout):
        if self.entries:
            used = [e.who or e.name for e in self.entries if e.use]
            layout.label(text=shortened(used, 6) or 'Choose what to open from %s' % os.path.basename(paths_of(self)[0]), icon='FILE_ARCHIVE')
            row = layout.row()
            row.prop(self, 'entry_search', icon='VIEWZOOM', text='')
            if any(e.who for e in self.entries):
                row.prop(self, 'all_entries', toggle=True)
            layout.template_list('REANIMA_UL_entries', '', self, 'entries', self, 'active_entry', rows=6)
        if self.problem:
            layout.label(text=self.problem, icon='ERROR')
        row = layout.row()
        row.prop(self, 'search', icon='VIEWZOOM', text='')
        pair = row.row(align=True)
        pair.prop(self, 'choose_all', toggle=True, text='All shown' if self.search else 'All')
        pair.prop(self, 'choose_none', toggle=True, text='None shown' if self.search else 'None')
        row.label(text='%d of %d' % (sum(c.use for c in self.clips), len(self.clips)))
        if len(self.people) > 1:
            layout.template_list('REANIMA_UL_people', '', self, 'people', self, 'active_person', rows=4)
        layout.template_list('REANIMA_UL_clips', '', self, 'clips', self, 'active_clip', rows=10)

    def draw_settings(self, context, layout, chosen):
        """Draws the settings that concern the selection."""
        kinds = {c.kind for c in chosen}
        onto = not kinds <= {contents.VIDEO}
        if onto:
            layout.row().prop(self, 'target', expand=True)
            if self.target == 'ACTIVE':
                self.draw_active(context, layout)
            if any(c.dressed for c in chosen):
                layout.prop(self, 'mesh' if self.target == 'NEW' else 'mesh_on_active')
            if self.target == 'ACTIVE' and not self.mesh_on_active and any(c.format.startswith('ff7-battle') for c in chosen):
                layout.prop(self, 'weapon_bone')
            layout.prop(self, 'source_skeleton')
        if contents.CLIP in kinds:
            layout.row().prop(self, 'root_motion', expand=True)
            layout.prop(self, 'loop_key')
            layout.prop(self, 'as_assets')
            if self.target == 'ACTIVE':
                layout.row().prop(self, 'again', expand=True)
                if self.again == 'BOTH':
                    layout.prop(self, 'prefix')
        if onto:
            if self.target == 'NEW':
                layout.prop(self, 'role_names')
            layout.prop(self, 'names')
            if self.names_beside and self.names in ('', self.names_beside):
                offer = layout.split(factor=0.4)
                offer.use_property_split = False
                offer.label(text='')
                offer.prop(self, 'use_beside', toggle=True, text='Use %s' % os.path.basename(self.names_beside), icon='FILE_TEXT')
        if contents.VIDEO in kinds:
            layout.row().prop(self, 'video_as', expand=True)
            layout.prop(self, 'video_folder')
        if (onto and self.target == 'NEW') or (contents.VIDEO in kinds and self.video_as == 'PLANE'):
            layout.prop(self, 'scale')
        if kinds & {contents.CLIP, contents.VIDEO}:
            layout.row().prop(self, 'rate', expand=True)
        if chosen:
            fold = layout.row()
            fold.use_property_split, fold.alignment = False, 'LEFT'
            fold.prop(self, 'show_more', icon='TRIA_DOWN' if self.show_more else 'TRIA_RIGHT', emboss=False)
        if chosen and self.show_more:
            if kinds & {contents.CLIP, contents.VIDEO}:
                layout.prop(self, 'play_rate')
            if any(c.dressed and c.format.startswith('ff7-battle') for c in chosen):
                layout.prop(self, 'weapon')
            layout.prop(self, 'more')

    def draw_active(self, context, layout):
        active = armature.of(context.active_object)
        if active is not None:
            layout.label(text='Active: %s, %d bones' % (active.name, len(active.data.bones)), icon='ARMATURE_DATA')
        else:
            layout.label(text='The active object is not an armature.', icon='ERROR')
        layout.row().prop(self, 'map_from', expand=True)
        if self.map_from == 'FILE':
            layout.prop(self, 'map_file')
        layout.prop(self, 'root_scale')

    def chosen(self, items):
        if self.only or not self.clips:
            found, unknown = contents.chosen_by_names(items, self.only)
            if unknown:
                raise CommandError('There is no clip %s. Available clips: %s.' % (', '.join(unknown), shortened([i.name for i in items])))
            return found
        return [item for item, clip in zip(items, self.clips) if clip.use]

    def execute(self, context):
        return self.work(context, self.opening(context) if self.unread else self.importing(context))

    def importing(self, context):
        """Imports. Work."""
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            try:
                self.take_job()
                paths = paths_of(self)
                if not paths:
                    raise CommandError('No file was chosen.')
                if self.entries and not any(e.use for e in self.entries):
                    raise CommandError('No entry of %s was chosen.' % os.path.basename(paths[0]))
                if not self.clips:
                    _listed.clear()
                options = options_of(self)
                items = yield from listing(context, self)
                if not items:
                    raise CommandError('There is no clip, skeleton or video in %s.' % ', '.join(paths))
                settings = importing.Settings(self.target, self.scale, self.root_scale, self.root_motion, self.rate, self.loop_key, absolute(self.names),
                                              self.mapping_files(context, folder), absolute(self.source_skeleton), self.video_as, self.video_folder,
                                              self.mesh if self.target == 'NEW' else self.mesh_on_active, options, self.again, self.prefix, self.weapon_bone,
                                              self.role_names, self.as_assets)
                report = yield from importing.run(context, preferences.command(context), items, self.chosen(items), settings)
            except (CommandError, GlbError) as error:
                return self.fail(str(error), context)
        mapping.show_report(context, report.lines)
        mapping.remember(context, paths)
        warnings = [text for level, text in report.lines if level == 'WARNING']
        for text in warnings:
            self.report({'WARNING'}, text)
        self.report({'INFO'}, '; '.join(text for level, text in report.lines if level == 'INFO') or 'Nothing was imported.')
        return {'FINISHED'}

    def mapping_files(self, context, folder):
        """The mapping files in use."""
        if self.target != 'ACTIVE' or self.map_from == 'ROLES':
            return []
        if self.map_from == 'FILE':
            if not self.map_file:
                raise CommandError('No mapping file was chosen.')
            return [absolute(self.map_file)]
        if not any(link.source and link.target for link in context.scene.reanima.links):
            raise CommandError('The mapping in the sidebar is empty: press Suggest there, or choose Mapping: Automatic.')
        path = os.path.join(folder, 'sidebar.map.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(mapping.mapping_of(context.scene.reanima), file)
        return [path]

    def cancelled(self, context):
        mapping.show_report(context, [('INFO', progress.CANCELLED)])
        return super().cancelled(context)

    def fail(self, text, context=None):
        if context is not None:
            mapping.show_report(context, [('ERROR', line) for line in text.splitlines()])
        self.report({'ERROR'}, text)
        return {'CANCELLED'}


def absolute(path):
    return bpy.path.abspath(path) if path else ''


GIVEN = ('target', 'mesh', 'root_motion', 'source_skeleton', 'names', 'video_folder')      # set in the side panel of the file browser


def filter_changed(properties, context):
    """Shows only the games' files, or all."""
    properties.filter_glob = KNOWN if properties.known else ''
    space = context.space_data
    if space is not None and space.type == 'FILE_BROWSER' and space.params is not None:
        space.params.filter_glob, space.params.use_filter = properties.filter_glob, properties.known


class REANIMA_OT_open(bpy.types.Operator, ImportHelper):
    """Choose files, an archive or a folder, then the clips to import"""
    bl_idname = 'import_scene.reanima_open'
    bl_label = 'Choose Clips'

    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={'SKIP_SAVE', 'HIDDEN'})
    directory: bpy.props.StringProperty(subtype='DIR_PATH', options={'SKIP_SAVE', 'HIDDEN'})
    filter_glob: bpy.props.StringProperty(default=KNOWN, maxlen=1000, options={'SKIP_SAVE', 'HIDDEN'})
    known: bpy.props.BoolProperty(name='Known files only', default=True, options={'SKIP_SAVE'}, update=filter_changed,
                                  description='Show only files whose names look like those of the games')
    target: bpy.props.EnumProperty(name='Import onto', items=(('NEW', 'New armature', 'Make an armature from the game\'s skeleton'),
                                                             ('ACTIVE', 'Active armature', 'Retarget the clips to the active armature')))
    mesh: bpy.props.BoolProperty(name='Game\'s mesh', default=True, description='Import the character\'s mesh, textures and weapon with a new armature')
    root_motion: bpy.props.EnumProperty(name='Root motion', items=ROOT_MOTION)
    source_skeleton: bpy.props.StringProperty(name=mapping.LABELS['source_skeleton'], options={'SKIP_SAVE'}, description='Skeleton file of the game, if it is not beside the animation')
    names: bpy.props.StringProperty(name=mapping.LABELS['names'], options={'SKIP_SAVE'}, description='CSV file with names for clips and joints')
    video_folder: bpy.props.StringProperty(name=mapping.LABELS['video_folder'], options={'SKIP_SAVE'}, description='Folder in which the frames of videos are saved')

    def draw(self, context):
        layout = self.layout
        layout.prop(self, 'known')
        column = layout.column()
        column.label(text='Import onto')
        column.prop(self, 'target', text='')
        if self.target == 'NEW':
            column.prop(self, 'mesh')
        column.label(text='Root motion')
        column.prop(self, 'root_motion', text='')
        for name, label in mapping.LABELS.items():
            column.label(text=label)
            row = column.row(align=True)
            row.prop(self, name, text='')
            row.operator(REANIMA_OT_take.bl_idname, text='', icon='EYEDROPPER').member = name

    def execute(self, context):
        files = [{'name': f.name} for f in self.files if f.name]
        given = {n: getattr(self, n) for n in GIVEN}
        return bpy.ops.import_scene.reanima('INVOKE_DEFAULT', filepath=self.filepath if files else self.directory, directory=self.directory, files=files, **given)


class REANIMA_OT_take(bpy.types.Operator):
    """Use the file that is selected in the file browser, or the folder that it shows. (Blender cannot open a second file browser)"""
    bl_idname = 'reanima.take'
    bl_label = 'Use what is selected'
    bl_options = {'INTERNAL'}
    member: bpy.props.EnumProperty(items=[(n, l, '') for n, l in mapping.LABELS.items()])

    @classmethod
    def poll(cls, context):
        return context.space_data is not None and context.space_data.type == 'FILE_BROWSER' and context.space_data.active_operator is not None

    def execute(self, context):
        params, opened = context.space_data.params, context.space_data.active_operator
        folder = os.fsdecode(params.directory)
        path = folder if self.member == 'video_folder' else os.path.join(folder, params.filename)
        if self.member != 'video_folder' and not os.path.isfile(path):
            self.report({'ERROR'}, 'Click a file first, then this button.')
            return {'CANCELLED'}
        setattr(opened, self.member, path)
        return {'FINISHED'}


def menu(self, context):
    self.layout.operator(REANIMA_OT_open.bl_idname, text=NAME)


CLASSES = (REANIMA_PG_clip, REANIMA_PG_entry, REANIMA_UL_clips, REANIMA_UL_entries, REANIMA_OT_import, REANIMA_OT_take, REANIMA_OT_open)


def register():
    for c in CLASSES:
        bpy.utils.register_class(c)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    for c in reversed(CLASSES):
        bpy.utils.unregister_class(c)
