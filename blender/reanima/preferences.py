# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's preferences: the place of the command, and a test of it."""
import bpy

from . import progress
from .command import Command, CommandError, bundled


class REANIMA_Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    command: bpy.props.StringProperty(name='Command', subtype='FILE_PATH',
                                      description='Path of the reanima executable. Leave it empty to use the one in the add-on, or else the one in PATH')
    found: bpy.props.StringProperty(options={'HIDDEN', 'SKIP_SAVE'})

    def draw(self, context):
        layout = self.layout
        layout.prop(self, 'command')
        if not self.command:
            layout.label(text='Bundled: %s' % (bundled() or 'none for this system; reanima is looked for in PATH'))
        row = layout.row()
        row.operator(REANIMA_OT_test.bl_idname, icon='PLAY')
        if self.found:
            row.label(text=self.found)


class REANIMA_OT_test(progress.Worker, bpy.types.Operator):
    """Run the command and show its version"""
    bl_idname = 'reanima.test'
    bl_label = 'Test'

    def execute(self, context):
        return self.work(context, self.testing(context))

    def testing(self, context):
        """Runs the test. Work."""
        preferences = context.preferences.addons[__package__].preferences
        try:
            running = Command(bpy.path.abspath(preferences.command) if preferences.command else '')
            preferences.found = '%s: %s' % (running.path, (yield from running.version()))
        except CommandError as error:
            preferences.found = 'The command could not be run.'
            self.report({'ERROR'}, str(error))
            return {'CANCELLED'}
        self.report({'INFO'}, preferences.found)
        return {'FINISHED'}


def command(context):
    """The command that the preferences name."""
    chosen = context.preferences.addons[__package__].preferences.command
    return Command(bpy.path.abspath(chosen) if chosen else '')


CLASSES = (REANIMA_Preferences, REANIMA_OT_test)


def register():
    for c in CLASSES:
        bpy.utils.register_class(c)


def unregister():
    for c in reversed(CLASSES):
        bpy.utils.unregister_class(c)
