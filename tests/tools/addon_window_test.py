#!/usr/bin/env python3
"""The Blender add-on's dialog and sidebar in a real window, on a screen that is in memory only (Xvfb).

What is drawn is recorded on its way to Blender's layout; keys are pressed as by a user.
"""
import json, os, shutil, subprocess, sys, unittest

from support import Case, SOURCE, TOOL, read, sample, write
import blender_window
import rig_set

RECORD = r'''
import reanima.mapping, reanima.operators
samples, *arguments = arguments
shown, listed, seen_dialog, wanted_dialog = {}, {}, [], []


class Recorder:
    """A layout that notes what is put into it, and passes it on."""

    def __init__(self, layout, notes):
        self.__dict__.update(layout=layout, notes=notes)

    def __getattr__(self, name):
        part = getattr(self.layout, name)
        if not callable(part):
            return part

        def call(*arguments, **options):
            if name in ('prop', 'prop_search'):
                self.notes.append(arguments[1])
            elif name in ('operator', 'template_list'):
                self.notes.append(arguments[0])
            elif name == 'label' and options['text']:
                self.notes.append('"%s"' % options['text'])
            made = part(*arguments, **options)
            return Recorder(made, self.notes) if isinstance(made, bpy.types.UILayout) else made
        return call

    def __setattr__(self, name, value):
        setattr(self.layout, name, value)


def record(kind):
    """From now on, shown[its name] is what it drew last."""
    get, draw, notes = kind.__getattribute__, kind.draw, []

    def get_recorded(self, name):
        value = get(self, name)
        return Recorder(value, notes) if name == 'layout' else value

    def draw_recorded(self, context):
        del notes[:]
        draw(self, context)
        shown[kind.__name__] = list(notes)
        if isinstance(self, bpy.types.Operator) and not hasattr(self, 'filter_glob'):
            if wanted_dialog:
                seen_dialog[:] = [self]
            if hasattr(self, 'rows'):
                listed.update(rows=[[r.name, r.use, r.where, r.told, r.differs] for r in self.rows])
            else:
                listed.update(clips=[[c.name, c.use, c.rate] for c in self.clips], entries=[e.name for e in self.entries], who={e.name: e.who for e in self.entries if e.who},
                              problem=self.problem, names=self.names, beside=self.names_beside, skeleton=self.source_skeleton, more=self.more)
    kind.__getattribute__, kind.draw = get_recorded, draw_recorded


for kind in (reanima.operators.REANIMA_OT_import, reanima.mapping.REANIMA_PT_files, reanima.mapping.REANIMA_PT_mapping, reanima.mapping.REANIMA_PT_report):
    record(kind)


def take(path, **options):
    """Opens the dialog."""
    shown.clear()
    with here():
        assert bpy.ops.import_scene.reanima('INVOKE_DEFAULT', filepath=os.path.join(samples, path) if path else '', **options) == {'RUNNING_MODAL'}
    # The panel of the last operation draws the operator, too, but not its list.
    yield from until(lambda: {'search', 'entry_search'} & set(shown.get('REANIMA_OT_import', [])))


def armature(path):
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.ops.import_scene.gltf(filepath=path)
    body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
    bpy.context.view_layer.objects.active = body
    return body
'''

DIALOGS = RECORD + r'''
import shutil, types
record(reanima.operators.REANIMA_OT_open)
def steps():
    seen = {}
    move(SIZE[0] // 2, SIZE[1] // 2)
    bpy.context.preferences.addons['reanima'].preferences.command = arguments[0]
    yield 0.3
    for name, (path, options) in json.loads(arguments[1]).items():
        yield from take(path, **options)
        seen[name] = [list(shown.get('REANIMA_OT_import', [])), dict(listed)]
        press('ESC')
        yield 0.2
    wanted_dialog.append(True)
    yield from take('ff7/hrda', target='NEW')
    wanted_dialog.clear()
    for name in ('choose_none', 'choose_all'):
        setattr(seen_dialog[0], name, True)
        seen[name] = [[c.use for c in seen_dialog[0].clips], getattr(seen_dialog[0], name)]
    seen_dialog.clear()        # Blender frees it with the dialog
    press('ESC')
    yield 0.2
    body = armature(arguments[2])
    yield from take('ff7/hrda', target='ACTIVE')
    seen['armature'] = [list(shown['REANIMA_OT_import']), dict(listed)]
    press('ESC')
    yield 0.2
    seen['escaped'] = [len(bpy.data.actions), body.animation_data is not None]
    # An archive's list: what it shows, and several entries
    shutil.copy(os.path.join(samples, 'archives/FF9.IMG'), arguments[3])
    for name, path, wanted in (('lgp', 'archives/battle.lgp', ('hrda', 'hraa')), ('img', os.path.join(arguments[3], 'FF9.IMG'), ('10/301', '10/300'))):
        wanted_dialog.append(True)
        yield from take(path, target='NEW')
        wanted_dialog.clear()
        dialog, kind = seen_dialog[0], reanima.operators.REANIMA_UL_entries
        visible = lambda: [e.name for e, flag in zip(dialog.entries, kind.filter_items(types.SimpleNamespace(bitflag_filter_item=1, searched=None), None, dialog, 'entries')[0]) if flag]
        seen[name] = [visible()]
        dialog.all_entries = True
        seen[name].append(len(visible()))
        dialog.entry_search = wanted[0]
        seen[name].append(visible())
        dialog.entry_search = 'no such name'
        seen[name].append(visible())
        dialog.entry_search, dialog.all_entries = '', False
        names, chosen = [e.name for e in dialog.entries], []
        for entry in wanted + wanted[1:]:
            dialog.active_entry = names.index(entry)
            chosen.append([[e.name for e in dialog.entries if e.use], sorted({c.where for c in dialog.clips}), dialog.active_entry])
        seen[name].append(chosen)
        dialog.active_entry = names.index(wanted[1])
        del dialog, visible
        seen_dialog.clear()
        press('RET')
        count = len(bpy.data.actions)
        yield from until(lambda: len(bpy.data.actions) > count)
        yield 0.3
        seen[name].append([sorted(a.name for a in bpy.data.actions), len(bpy.data.armatures)])
        for blocks in (bpy.data.objects, bpy.data.armatures, bpy.data.actions, bpy.data.meshes):
            for block in list(blocks):
                blocks.remove(block)
        yield 0.2
    # A job file, and the names that lie beside a file
    yield from take('pipeline/hero.reanima.json')
    seen['job'] = [list(shown.get('REANIMA_OT_import', [])), dict(listed)]
    press('ESC')
    yield 0.2
    wanted_dialog.append(True)
    yield from take('ff7/hrda', target='NEW')
    wanted_dialog.clear()
    # A preset, as the button of the dialog makes it, and as the menu takes it
    dialog = seen_dialog[0]
    dialog.root_motion, dialog.loop_key, dialog.prefix = 'in-place', True, 'mine_'
    with bpy.context.temp_override(window=window, area=view, region=region(), active_operator=dialog):
        seen['preset'] = None
        if bpy.app.version >= (5, 0) or sys.version_info < (3, 13):       # Blender 4 can't write presets with this Python
            bpy.ops.wm.operator_preset_add(name='mine', operator='IMPORT_SCENE_OT_reanima')
            found = [os.path.join(f, 'mine.py') for f in bpy.utils.preset_paths('operator/import_scene.reanima')]
            dialog.root_motion, dialog.loop_key = 'keep', False
            bpy.ops.script.execute_preset(filepath=found[0], menu_idname='WM_MT_operator_presets')
            with open(found[0]) as file:
                seen['preset'] = [dialog.root_motion, dialog.loop_key, file.read()]
    dialog.root_motion, dialog.loop_key, dialog.prefix = 'keep', False, 'new_'
    del dialog
    seen_dialog[0].use_beside = True
    seen['beside'] = seen_dialog[0].names
    seen_dialog[0].use_beside = False
    seen['beside off'] = seen_dialog[0].names
    seen_dialog.clear()
    press('ESC')
    yield 0.2
    # The file browser: its button imports what is chosen there, as the menu's entry does.
    with here():
        bpy.ops.import_scene.reanima_open('INVOKE_DEFAULT')
    yield 0.5
    browser = bpy.context.window_manager.windows[-1]
    area = next(a for a in browser.screen.areas if a.type == 'FILE_BROWSER')
    area.spaces.active.params.directory = os.path.join(samples, 'ff7').encode()
    area.spaces.active.params.filename = 'hraa'
    yield 1
    opened, override = area.spaces.active.active_operator, dict(window=browser, area=area, region=region('WINDOW', area))

    def visible():
        with bpy.context.temp_override(**override):
            bpy.ops.file.select_all(action='SELECT')
            found = sorted(f.name for f in bpy.context.selected_files)
            bpy.ops.file.select_all(action='DESELECT')
        return found
    seen['known files'] = visible()
    with bpy.context.temp_override(**override):
        opened.known = False
    yield 1
    seen['all files'] = visible()
    area.spaces.active.params.filename = 'hraa'
    seen['panel'] = list(shown.get('REANIMA_OT_open', []))
    with bpy.context.temp_override(**override):
        bpy.ops.reanima.take(member='source_skeleton')
        bpy.ops.reanima.take(member='video_folder')
        area.spaces.active.params.filename = 'nothing'
        try:
            bpy.ops.reanima.take(member='names')
        except RuntimeError as error:
            seen['take'] = str(error)
    seen['taken'] = [opened.source_skeleton, opened.video_folder, opened.names]
    opened.root_motion = 'in-place'
    area.spaces.active.params.filename = 'hrda'
    yield 0.5
    shown.clear()
    with bpy.context.temp_override(window=browser, area=area, region=region('WINDOW', area)):
        bpy.ops.file.execute()
    yield from until(lambda: 'REANIMA_OT_import' in shown)
    seen['browser'] = [list(shown.get('REANIMA_OT_import', [])), dict(listed)]
    seen['given'] = listed['skeleton']
    press('RET')
    yield from until(lambda: bpy.data.actions)
    seen['imported'] = sorted(a.name for a in bpy.data.actions)
    # The panel that changes the last operation, opened by its header, and another import while it is open
    yield 0.5
    panel, where = region('HUD'), lambda: (panel.x + 20, panel.y + panel.height - 12)
    yield from until(lambda: panel.height > 1)       # laid out
    yield 0.5
    move(*where())
    yield 0.4
    shown.clear()
    press('LEFTMOUSE', *where())
    yield from until(lambda: shown)
    seen['last operation'] = list(shown.get('REANIMA_OT_import', []))
    move(SIZE[0] // 2, SIZE[1] // 2)
    yield from take('ff7/hrda')
    press('RET')
    yield from until(lambda: len(bpy.data.actions) > 4)
    seen['again'] = len(bpy.data.actions)
    result(seen)
'''

SIDEBAR = RECORD + r'''
def drawn():
    shown.clear()
    view.tag_redraw()
    yield from until(lambda: 'REANIMA_PT_mapping' in shown)


def steps():
    seen = {}
    bpy.context.preferences.addons['reanima'].preferences.command = arguments[0]
    bpy.utils.unregister_class(reanima.mapping.REANIMA_PT_files)
    reanima.mapping.REANIMA_PT_files.bl_options = set()        # open, as after a click
    bpy.utils.register_class(reanima.mapping.REANIMA_PT_files)
    yield from open_sidebar(reanima.mapping.REANIMA_PT_mapping)
    yield from drawn()
    seen['cube'] = dict(shown)
    armature(arguments[1])
    yield from drawn()
    seen['armature'] = dict(shown)
    state = bpy.context.scene.reanima
    state.source = os.path.join(samples, 'ff7', 'hrda')
    with here('UI'):
        assert bpy.ops.reanima.suggest() == {'FINISHED'}
    yield from drawn()
    seen['suggested'] = dict(shown)
    shown.clear()
    with here('UI'):
        bpy.ops.reanima.import_mapped('INVOKE_DEFAULT')
    yield from until(lambda: 'REANIMA_OT_import' in shown)
    seen['dialog'] = list(shown.get('REANIMA_OT_import', []))
    press('RET')
    yield from until(lambda: bpy.data.actions)
    yield from drawn()
    seen['imported'] = [sorted(a.name for a in bpy.data.actions), dict(shown)]
    result(seen)
'''

PROGRESS = RECORD + r'''
import signal, time
import reanima.actions, reanima.preferences, reanima.progress
command, folder, rig = arguments
texts, told, temporary = [], [], os.path.join(folder, 'temporary')
set_text = bpy.types.WorkSpace.status_text_set
bpy.types.WorkSpace.status_text_set = lambda self, text: (texts.append(text), set_text(self, text))


def hear(kind):
    "From now on, what it reports is told."
    get = kind.__getattribute__
    kind.__getattribute__ = lambda self, name: (lambda level, text: told.append([sorted(level), text])) if name == 'report' else get(self, name)


for kind in (reanima.operators.REANIMA_OT_import, reanima.mapping.REANIMA_OT_suggest, reanima.preferences.REANIMA_OT_test):
    hear(kind)
KINDS = ('objects', 'armatures', 'actions', 'meshes', 'materials', 'images')


def slow(verb='', seconds=0):
    with open(os.path.join(folder, 'slow'), 'w') as file:
        file.write('%s %s' % (verb, seconds))


def alive():
    "whether the command that was started last still runs"
    with open(os.path.join(folder, 'pid')) as file:
        try:
            os.kill(int(file.read()), 0)
        except ProcessLookupError:
            return False
    return True


def state():
    return [[sorted(b.name for b in getattr(bpy.data, k)) for k in KINDS], len(bpy.context.scene.reanima.links), os.listdir(temporary)]


def bar():
    "the status bar, at the bottom of the window, without the place of reports"
    return photograph()[:20, :SIZE[0] // 3]


def fresh():
    texts.clear()
    told.clear()
    shown.clear()
    return state()


def shown_text():
    return next((t for t in reversed(texts) if t), None)


def steps():
    seen = {}
    bpy.context.preferences.addons['reanima'].preferences.command = command
    move(SIZE[0] // 2, SIZE[1] // 2)
    slow()
    yield from take('ff7/hrda', target='NEW')

    # Esc while the command works
    before, quiet = fresh(), bar()
    slow('convert', 60)
    press('RET')
    yield from until(lambda: texts)
    yield 0.3
    ran, busy = alive(), bar()
    press('ESC')
    yield from until(lambda: told)
    yield 0.3
    seen['command'] = [shown_text(), ran, alive(), state() == before, texts[-1], told[:], [l.name for l in bpy.context.scene.reanima.lines]]
    seen['bar'] = [bool(numpy.abs(busy - other).max() > 0.1) for other in (quiet, bar())]

    # Esc while Blender works
    slow()
    write = reanima.actions.Writer.write
    reanima.actions.Writer.write = lambda self, clip: (time.sleep(1.1), write(self, clip))[1]
    yield from take('ff7/hrda', target='NEW')
    before = fresh()
    press('RET')
    yield from until(lambda: bpy.data.actions)
    made = len(bpy.data.actions)
    press('ESC')
    yield from until(lambda: told)
    seen['blender'] = [shown_text(), made, state() == before, told[:]]
    reanima.actions.Writer.write = write

    # To the end
    yield from take('ff7/hrda', target='NEW')
    fresh()
    slow('convert', 2)
    press('RET')
    yield from until(lambda: told)
    yield 0.3
    seen['end'] = [shown_text(), sorted(a.name for a in bpy.data.actions), texts[-1], told[-1]]
    # As the panel of the last operation does it, and "Repeat Last": at once, since Blender keeps account of these itself.
    texts.clear()
    for name, operator in (('adjusted', bpy.ops.ed.undo_redo), ('repeated', bpy.ops.screen.repeat_last)):
        with here():
            operator()
        seen[name] = [len(bpy.data.actions), list(texts)]
    for kind in KINDS:
        for block in list(getattr(bpy.data, kind)):
            getattr(bpy.data, kind).remove(block)

    # The list of what a file has, cancelled, and shown when it is there
    fresh()
    for seconds in (60, 2):
        slow('info', seconds)
        with here():
            bpy.ops.import_scene.reanima('INVOKE_DEFAULT', filepath=os.path.join(samples, 'ff7/hrda'), target='ACTIVE', prefix='raw_')
        yield from until(lambda: texts)
        if seconds == 60:
            press('ESC')
            yield from until(lambda: told)
            seen['list'] = [shown_text(), alive(), list(shown), told[:]]
            fresh()
    yield from until(lambda: shown)
    seen['listed'] = [shown.get('REANIMA_OT_import', [])[:7], listed.get('clips')]
    press('ESC')
    yield 0.3

    # An entry of an archive whose clips take long
    slow()
    wanted_dialog.append(True)
    yield from take('archives/battle.lgp', target='NEW')
    wanted_dialog.clear()
    slow('info', 2)
    dialog = seen_dialog[0]
    dialog.active_entry = [e.name for e in dialog.entries].index('hrda')
    seen['unread'] = [dialog.problem, dialog.unread, alive()]
    del dialog
    seen_dialog.clear()
    fresh()
    press('RET')
    yield from until(lambda: shown)
    seen['entry'] = [shown_text(), shown.get('REANIMA_OT_import', [])[:9], listed.get('clips'), len(listed.get('entries', []))]
    slow('convert', 1.5)
    press('RET')
    yield from until(lambda: told)
    yield 0.3
    seen['entry imported'] = sorted(a.name for a in bpy.data.actions)
    with here():
        bpy.ops.ed.undo()
    seen['undone'] = [len(bpy.data.armatures), len(bpy.data.actions)]

    # The test of the command in the preferences
    for seconds in (60, 2):
        fresh()
        slow('--version', seconds)
        with here():
            bpy.ops.reanima.test('INVOKE_DEFAULT')
        yield from until(lambda: texts)
        if seconds == 60:
            press('ESC')
            yield from until(lambda: told)
            seen['version'] = [shown_text(), alive(), told[:]]
    yield from until(lambda: told)
    seen['versioned'] = told[-1]

    # Undo while the command works, as from another window
    slow()
    for _ in range(2):        # something to undo
        with here():
            bpy.ops.ed.undo_push(message='here')
    yield from take('ff7/hrda', target='NEW')
    before = fresh()
    slow('convert', 60)
    press('RET')
    yield from until(lambda: texts)
    with here():
        bpy.ops.ed.undo()
    ran = alive()
    yield from until(lambda: told)
    seen['undo meanwhile'] = [ran, state() == before, texts[-1], told[:]]

    # Suggest
    armature(rig)
    bpy.context.scene.reanima.source = os.path.join(samples, 'ff7/hrda')
    for seconds in (60, 2):
        before = fresh()
        slow('bind', seconds)
        with here('UI'):
            seen['suggest began'] = list(bpy.ops.reanima.suggest('INVOKE_DEFAULT'))
        yield from until(lambda: texts)
        if seconds == 60:
            press('ESC')
            yield from until(lambda: told)
            seen['suggest'] = [shown_text(), alive(), state() == before, told[:]]
    yield from until(lambda: told)
    seen['suggested'] = [shown_text(), told[-1], texts[-1]]
    result(seen)
'''

EXPORTS = RECORD + r'''
import time
import reanima.export_dialog
command, folder = arguments
record(reanima.export_dialog.REANIMA_OT_export)


def ask():
    shown.clear()
    with here():
        bpy.ops.export_scene.reanima('INVOKE_DEFAULT')
    yield from until(lambda: shown)
    yield 0.3


def files():
    return sorted(os.listdir(folder))


def steps():
    seen = {}
    bpy.context.preferences.addons['reanima'].preferences.command = command
    move(SIZE[0] // 2, SIZE[1] // 2)
    with here():
        bpy.ops.import_scene.reanima(filepath=os.path.join(folder, 'hrda'))
    body, action = bpy.context.active_object, bpy.data.actions['hrda_001']
    curve = next(c for c in reanima.versions.curves_of(action) if (c.data_path, c.array_index) == ('pose.bones["bone005"].rotation_quaternion', 1))
    curve.keyframe_points[4].co[1] += 0.2
    curve.update()
    yield from ask()
    seen['dialog'] = [list(shown['REANIMA_OT_export']), dict(listed)]
    press('ESC')
    yield 0.3
    seen['escaped'] = files()
    yield from ask()
    press('RET')
    yield from until(lambda: 'hrda.bak' in files())
    yield 0.3
    seen['written'] = files()
    with here():
        seen['menu'] = [bpy.types.TOPBAR_MT_file_export.is_extended()]

    # Esc while it looks at the poses, and the dialog after what took long
    texts = []
    set_text = bpy.types.WorkSpace.status_text_set
    bpy.types.WorkSpace.status_text_set = lambda self, text: (texts.append(text), set_text(self, text))
    look = reanima.posing.Stage.seen
    def slow(self, what, frames, names):
        time.sleep(0.4)
        return (yield from look(self, what, frames, names))
    reanima.posing.Stage.seen = slow
    shown.clear()
    bpy.context.scene.frame_set(3)
    with here():
        bpy.ops.export_scene.reanima('INVOKE_DEFAULT')
    yield from until(lambda: texts and (texts[-1] or '').startswith('Looking'))
    press('ESC')
    yield from until(lambda: texts[-1] is None)
    seen['cancelled'] = [next(t for t in reversed(texts) if t), bpy.context.scene.frame_current, body.animation_data.action.name, list(shown), files()]
    yield from ask()
    seen['slow'] = [list(shown.get('REANIMA_OT_export', [])), dict(listed)]
    result(seen)
'''

LIST = ['search', 'choose_all', 'choose_none', '"4 of 4"', 'REANIMA_UL_clips']
BESIDE = ['names', 'use_beside']      # samples of each game have one names file
NAMES = ['role_names'] + BESIDE
MOTION = ['root_motion', 'loop_key', 'as_assets'] + NAMES
ONTO = ['root_motion', 'loop_key', 'as_assets', 'again'] + BESIDE
MORE = ['show_more', 'play_rate']


# The command, which waits before it does what it is asked for, if the file `slow` says so.
SLOW = '''#!/bin/sh
echo $$ > "%(folder)s/pid"
read verb seconds < "%(folder)s/slow"
test "$1" = "$verb" && sleep $seconds
exec "%(tool)s" "$@"
'''


class Window(Case):
    def setUp(self):
        super().setUp()
        self.zip = self.path('addon.zip')
        subprocess.run([os.path.join(SOURCE, 'scripts', 'build-addon.sh'), '--without-command', '--output', self.zip], check=True, stderr=subprocess.DEVNULL)
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})

    def inside(self, text, *args):
        printed = blender_window.run(text, self.zip, os.path.join(SOURCE, 'samples') + os.sep, os.path.abspath(TOOL), *args)
        for wrong in ('Traceback', 'property not found', 'unknown operator'):
            self.assertNotIn(wrong, printed)
        got = blender_window.answer(printed)
        self.assertIsNotNone(got, printed)
        return got

    def test_the_dialog_shows_the_settings_of_what_is_chosen(self):
        write(self.path('map.json'), '{}')
        for name in ('hero_walk.ANIM', 'hero.CINF'):         # without the model beside them
            shutil.copy(sample('metroid', name), self.folder)
        files = {'clips': ('ff7/hrda', {}), 'more': ('ff7/hrda', {'show_more': True, 'play_rate': 20.0}), 'object': ('ff7/hrda', {'target': 'ACTIVE', 'map_from': 'FILE'}),
                 'no mesh': (self.path('hero_walk.ANIM'), {'show_more': True}), 'no weapon': ('ff9/hero.ff9db', {'show_more': True}),
                 'video': ('rlf/wheel.rlf', {'video_as': 'PLANE'}), 'strip': ('rlf/wheel.rlf', {'video_as': 'STRIP'}),
                 'skeleton': ('ff7/hraa', {}), 'archive': ('archives/battle.lgp', {}), 'entry': ('archives/battle.lgp', {'entry': 'hrda'})}
        reset = {'target': 'NEW', 'map_from': 'ROLES', 'video_as': 'PLANE'}        # what an operator remembers from before
        got = self.inside(DIALOGS, json.dumps({n: (p, dict(reset, **o)) for n, (p, o) in files.items()}), self.path('rigs', 'rig.glb'), self.folder)
        mine = lambda shown, chosen: ['"%d of %d"' % (chosen, chosen) if s.startswith('"4') else s for s in shown]
        wanted = {'clips': LIST + ['target', 'mesh', 'source_skeleton'] + MOTION + ['scale', 'rate', 'show_more'],
                  'more': LIST + ['target', 'mesh', 'source_skeleton'] + MOTION + ['scale', 'rate'] + MORE + ['weapon', 'more'],
                  'object': LIST + ['target', '"The active object is not an armature."', 'map_from', 'map_file', 'root_scale', 'mesh_on_active', 'weapon_bone', 'source_skeleton'] +
                            ONTO + ['rate', 'show_more'],
                  'armature': LIST + ['target', '"Active: Armature, 52 bones"', 'map_from', 'root_scale', 'mesh_on_active', 'weapon_bone', 'source_skeleton'] + ONTO + ['rate', 'show_more'],
                  'no mesh': mine(LIST, 1) + ['target', 'source_skeleton'] + MOTION[:-1] + ['scale', 'rate'] + MORE + ['more'],
                  'no weapon': mine(LIST, 3) + ['target', 'mesh', 'source_skeleton'] + MOTION + ['scale', 'rate'] + MORE + ['more'],
                  'video': mine(LIST, 1) + ['video_as', 'video_folder', 'scale', 'rate', 'show_more'],
                  'strip': mine(LIST, 1) + ['video_as', 'video_folder', 'rate', 'show_more'],
                  'skeleton': mine(LIST, 1) + ['target', 'mesh', 'source_skeleton'] + NAMES + ['scale', 'show_more'],
                  'archive': ['"Choose what to open from battle.lgp"', 'entry_search', 'all_entries', 'REANIMA_UL_entries'] + mine(LIST, 0)}
        # samples/ff7 has one names file, which is offered; the job names it already
        wanted['browser'] = [f for f in wanted['clips']]
        wanted['entry'] = [f for f in wanted['clips'] if f != 'use_beside']
        wanted['job'] = wanted['clips']
        for name, fields in wanted.items():
            self.assertEqual(got[name][0], fields, name)
        who = {'hrda': 'hrda'}
        self.assertEqual(got['archive'][1]['who'], who)
        shown, count, found, none, chosen, (actions, bodies) = got['lgp']
        self.assertEqual([shown, count, found, none], [['hrda'], 21, ['hrda'], []])
        self.assertEqual(chosen, [[['hrda'], ['battle.lgp:hrda'], -1], [['hraa', 'hrda'], ['battle.lgp:hrda'], -1], [['hrda'], ['battle.lgp:hrda'], -1]])
        self.assertEqual([actions, bodies], [['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004'], 2])        # and the rig
        shown, count, found, none, chosen, (actions, bodies) = got['img']
        self.assertEqual([shown, count, found, none], [['10/300', '10/301'], 2, ['10/301'], []])
        self.assertEqual([row[0] for row in chosen], [['10/301'], ['10/300', '10/301'], ['10/301']])
        self.assertEqual([len(actions), bodies], [6, 3])          # of both entries: a hero, two props
        self.assertEqual(got['job'][1]['skeleton'], sample('ff7', 'hraa'))
        self.assertEqual([got['job'][1]['names'], got['job'][1]['beside']], [sample('ff7', 'hero.names.csv')] * 2)
        if got['preset']:
            motion, closed, text = got['preset']
            self.assertEqual([motion, closed], ['in-place', True])
            self.assertIn("op.prefix = 'mine_'", text)
            for name in ('filepath', 'files', 'clips', 'entries', 'only', 'names', 'search'):       # what belongs to a file
                self.assertNotIn('op.%s ' % name, text)
        self.assertEqual([got['beside'], got['beside off']], [sample('ff7', 'hero.names.csv'), ''])
        self.assertIn('hrda', got['known files'])
        self.assertIn('doll_walk.a', got['known files'])
        self.assertFalse({'generate.py', 'hero.names.csv', 'hrac'} & set(got['known files']))
        self.assertTrue({'generate.py', 'hero.names.csv', 'hrac', 'hrda'} <= set(got['all files']))
        self.assertEqual(got['taken'], [sample('ff7', 'hraa'), sample('ff7') + os.sep, ''])
        self.assertIn('Click a file first, then this button.', got['take'])
        labels = ['"Game\'s skeleton"', 'source_skeleton', 'reanima.take', '"Names file"', 'names', 'reanima.take', '"Frames folder"', 'video_folder', 'reanima.take']
        self.assertEqual(got['panel'], ['known', '"Import onto"', 'target', 'mesh', '"Root motion"', 'root_motion'] + labels)
        self.assertEqual(got['given'], sample('ff7', 'hraa'))
        self.assertEqual([rate for *_, rate in got['clips'][1]['clips']], [15] * 4)
        self.assertEqual([rate for *_, rate in got['more'][1]['clips']], [20] * 4)
        self.assertEqual([len(got['archive'][1]['entries']), got['archive'][1]['clips']], [21, []])
        self.assertEqual([got['choose_none'], got['choose_all']], [[[False] * 4, False], [[True] * 4, False]])
        self.assertEqual(got['escaped'], [0, False])
        self.assertEqual(got['imported'], ['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004'])

        self.assertEqual(got['last operation'], wanted['clips'][len(LIST):])
        self.assertEqual(got['again'], 8)

    def test_the_sidebar_shows_the_mapping_and_imports_with_it(self):
        got = self.inside(SIDEBAR, self.path('rigs', 'rig.glb'))
        paths = ['"Game\'s skeleton"', 'source_skeleton', '"Names file"', 'names', '"Frames folder"', 'video_folder']
        head = ['"Animation"', 'source', 'model', 'reanima.suggest']
        self.assertEqual(got['cube'], {'REANIMA_PT_files': paths, 'REANIMA_PT_mapping': head + ['"Select an armature."']})
        foot = ['reanima.link', 'reanima.link', 'reanima.save_map', 'reanima.load_map', 'reanima.import_mapped']
        self.assertEqual(got['armature']['REANIMA_PT_mapping'], head + ['"52 bones, 0 follow a joint"', 'REANIMA_UL_links'] + foot)
        seen = got['suggested']['REANIMA_PT_mapping']
        self.assertEqual(seen[:8], head + ['"52 bones, 20 follow a joint"', 'REANIMA_UL_links'] + foot[:2])
        self.assertEqual(seen[8:10], ['target', 'source'])
        self.assertEqual(seen[10], '"Hips"')
        self.assertTrue(seen[11].startswith('"Confidence '), seen[11])
        self.assertEqual(seen[-3:], foot[2:])
        self.assertEqual(got['dialog'], LIST + ['target', '"Active: Armature, 52 bones"', 'map_from', 'root_scale', 'mesh_on_active', 'weapon_bone', 'source_skeleton'] +
                         ONTO + ['rate', 'show_more'])
        actions, after = got['imported']
        self.assertEqual(actions, ['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004'])
        told = ' '.join(line.strip('"') for line in after['REANIMA_PT_report'])
        self.assertIn('Armature: 20 bones follow the game\'s joints.', told)
        self.assertIn('Armature: 4 actions.', told)

    def test_what_takes_long_shows_its_progress_and_esc_ends_it(self):
        os.mkdir(self.path('temporary'))
        slow = write(self.path('reanima'), SLOW % {'folder': self.folder, 'tool': os.path.abspath(TOOL)})
        os.chmod(slow, 0o755)
        os.environ['TMPDIR'] = self.path('temporary')      # of Blender and the add-on
        self.addCleanup(os.environ.pop, 'TMPDIR')
        printed = blender_window.run(PROGRESS, self.zip, os.path.join(SOURCE, 'samples') + os.sep, slow, self.folder, self.path('rigs', 'rig.glb'), timeout=600)
        got = blender_window.answer(printed)
        self.assertIsNotNone(got, printed)
        cancelled, clips = [[['INFO'], 'Cancelled: nothing was changed.']], ['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004']
        text, ran, runs, kept, last, *told = got['command']
        self.assertRegex(text, r'^Converting hrda \(\d+ s\)    Esc: cancel$')
        self.assertEqual([ran, runs, kept, last, *told], [True, False, True, None, cancelled, [cancelled[0][1]]])
        self.assertEqual(got['bar'], [True, True])           # it differs from before and after
        text, made, *after = got['blender']
        self.assertRegex(text, r'^hraa: clip [234] of 4 \([789]0 %, \d+ s\)    Esc: cancel$')
        self.assertIn(made, (1, 2, 3))
        self.assertEqual(after, [True, cancelled])
        text, actions, last, (levels, told) = got['end']
        self.assertRegex(text, r'^(Converting hrda|hraa: )')
        self.assertEqual([actions, last, levels], [clips, None, ['INFO']])
        self.assertIn('hraa: 4 actions.', told)
        self.assertEqual([got['adjusted'], got['repeated']], [[4, []], [8, []]])
        self.assertEqual(got['undone'], [0, 0])              # the whole import is one step of undo
        text, *after = got['version']
        self.assertRegex(text, r'^Waiting for reanima \(\d+ s\)    Esc: cancel$')
        self.assertEqual(after, [False, cancelled])
        self.assertIn(os.path.join(self.folder, 'reanima') + ': reanima 0', got['versioned'][1])
        self.assertEqual(got['undo meanwhile'], [False, True, None, cancelled])
        text, *after = got['list']
        self.assertRegex(text, r'^Reading hrda \(\d+ s\)    Esc: cancel$')
        self.assertEqual(after, [False, [], cancelled])
        shown, listed = got['listed']
        self.assertEqual(shown, LIST + ['target', '"The active object is not an armature."'])
        self.assertEqual([name for name, *_ in listed], clips)
        self.assertEqual(got['unread'], ['Reading takes a while. Confirm the dialog: it opens again with the clips.', True, False])
        text, shown, listed, entries = got['entry']
        self.assertRegex(text, r'^Reading battle\.lgp:hrda ')
        self.assertEqual(shown, ['"hrda"', 'entry_search', 'all_entries', 'REANIMA_UL_entries'] + LIST)
        self.assertEqual([[name for name, *_ in listed], entries], [clips, 21])
        self.assertEqual(got['entry imported'], clips)
        text, *after = got['suggest']
        self.assertRegex(text, r'^Suggesting a mapping for hrda \(\d+ s\)    Esc: cancel$')
        self.assertEqual(after, [False, True, cancelled])
        self.assertEqual(got['suggested'][1:], [[['INFO'], '20 bones follow a joint.'], None])

    def test_the_export_shows_what_differs_and_writes_it(self):
        for name in ('hrda', 'hraa'):
            os.makedirs(self.path('game'), exist_ok=True)
            shutil.copy(sample('ff7', name), self.path('game'))
        before = read(self.path('game', 'hrda'))
        printed = blender_window.run(EXPORTS, self.zip, os.path.join(SOURCE, 'samples') + os.sep, os.path.abspath(TOOL), self.path('game'))
        got = blender_window.answer(printed)
        self.assertNotIn('Traceback', printed)
        self.assertIsNotNone(got, printed)
        fields = lambda count: ['"%d of 4 actions differ from the game\'s files."' % count, 'REANIMA_UL_exports', 'folder', 'originals', 'lossy', 'other',
                                '"The game\'s files are replaced; the originals are kept beside them as NAME.bak."']
        drawn, listed = got['dialog']
        self.assertEqual(drawn, fields(1))
        rows = {name: row for name, *row in listed['rows']}
        self.assertEqual([rows[n] for n in ('hrda_000', 'hrda_002', 'hrda_004')], [[False, 'hrda', 'unchanged', False]] * 3)
        used, where, told, differs = rows['hrda_001']
        self.assertEqual([used, where, differs], [True, 'hrda', True])
        self.assertRegex(told, r'^1 joint; bone005 by \d+\.\d degrees in frame 4$')
        self.assertEqual(got['escaped'], ['hraa', 'hrda'])
        self.assertEqual(got['written'], ['hraa', 'hrda', 'hrda.bak'])
        with open(self.path('game', 'hrda.bak'), 'rb') as file:
            self.assertEqual(file.read(), before)
        text, frame, action, drawn, files = got['cancelled']
        self.assertRegex(text, r'^Looking at hrda_00\d \(.*\d s\)    Esc: cancel$')
        self.assertEqual([frame, action, drawn, files], [3, 'hrda_000', [], ['hraa', 'hrda', 'hrda.bak']])
        drawn, listed = got['slow']
        self.assertEqual(drawn, fields(0))
        self.assertEqual([row[1:] for row in listed['rows']], [[False, 'hrda', 'unchanged', False]] * 4)


if __name__ == '__main__':
    if not all(shutil.which(program) for program in ('blender', 'xvfb-run')):
        print('Blender or Xvfb is not installed')
        sys.exit(77)
    unittest.main()
