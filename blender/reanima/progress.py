# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work with a progress display. Esc ends it.

Such work is a generator. It yields (text, part): the current step, and the finished part from 0 to 1. When closed, it
stops what it started and removes what it made.
"""
import time
import traceback

import bpy

SOON = 0.5      # seconds of work before progress is shown
TURNS = 0.1, 1.0    # seconds of work between redraws, within these limits: ten times a redraw's duration
PAUSE = 0.01    # smallest number of seconds between turns
UNDOING = bpy.app.handlers.undo_pre, bpy.app.handlers.redo_pre
CANCELLED = 'Cancelled: nothing was changed.'


def finished(steps):
    """Does all of the work. -> its result"""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def worked(steps, seconds):
    """Works for some time. -> True and the work's result, or False and its last progress"""
    until, told = time.monotonic() + seconds, ('', 0.0)
    while time.monotonic() < until:
        try:
            told = next(steps)
        except StopIteration as end:
            return True, end.value
    return False, told


def share(steps, start, size):
    """Work as a part of other work: its progress goes from `start` to `start + size`."""
    try:
        while True:
            try:
                text, part = next(steps)
            except StopIteration as end:
                return end.value
            yield text, start + size * part
    finally:
        steps.close()


class Worker:
    """A mixin of operators. Work that was started in a window and takes longer than SOON continues between Blender's
    events."""

    _steps = _timer = None

    def work(self, context, steps):
        """steps: work that returns the operator's result. -> that result"""
        how = self.options
        # The panel for the last operation registers it itself, so its work must end at once.
        if bpy.app.background or context.window is None or not how.is_invoke or how.is_repeat or how.is_repeat_last:
            return finished(steps)
        ended, told = worked(steps, SOON)
        if ended:
            return told
        manager = context.window_manager
        self._steps, self._began = steps, time.monotonic() - SOON
        self._timer = manager.event_timer_add(PAUSE, window=context.window)
        manager.modal_handler_add(self)
        manager.progress_begin(0, 100)
        # In another window, the user may undo steps that the work relies on.
        self._interrupt = lambda *_: self.cancel(bpy.context)
        for handlers in UNDOING:
            handlers.append(self._interrupt)
        self._show(context, told)
        self._left = time.monotonic()
        return {'RUNNING_MODAL'}

    def is_working(self):
        """Whether the work continues after the call that began it."""
        return self._steps is not None

    def modal(self, context, event):
        if (event.type == 'ESC' and event.value == 'PRESS') or not self.is_working():
            self.cancel(context)
            return self.cancelled(context)
        if event.type != 'TIMER':
            return {'PASS_THROUGH'} if event.type.startswith('TIMER') else {'RUNNING_MODAL'}     # other timers, such as autosave
        try:
            ended, told = worked(self._steps, min(max(10 * (time.monotonic() - self._left), TURNS[0]), TURNS[1]))
        except Exception:       # otherwise Blender would call this again for every event
            self.cancel(context)
            self.report({'ERROR'}, traceback.format_exc())
            return {'CANCELLED'}
        if ended:
            self.cancel(context)
            return told
        self._show(context, told)
        self._left = time.monotonic()
        return {'PASS_THROUGH'}      # the timer may belong to another add-on

    def cancel(self, context):
        """Ends the work, if any. Blender also calls it when a dialog is left, a window closes or another file is
        opened."""
        steps, self._steps = self._steps, None
        if steps is None:
            return
        for handlers in UNDOING:
            if self._interrupt in handlers:      # a newly opened file does not have it
                handlers.remove(self._interrupt)
        try:
            steps.close()
        finally:
            context.window_manager.event_timer_remove(self._timer)
            context.window_manager.progress_end()
            if context.workspace is not None:
                context.workspace.status_text_set(None)

    def cancelled(self, context):
        """Reports that Esc was pressed. -> the operator's result"""
        self.report({'INFO'}, CANCELLED)
        return {'CANCELLED'}

    def _show(self, context, told):
        text, part = told
        percent, seconds = round(100 * part), time.monotonic() - self._began
        context.window_manager.progress_update(percent)
        done = '%d %%, ' % percent if percent else ''       # the command does not report its progress
        context.workspace.status_text_set('%s (%s%d s)    Esc: cancel' % (text, done, seconds))
