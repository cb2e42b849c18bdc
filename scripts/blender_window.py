"""Runs a script in a real window of Blender, on a virtual screen (Xvfb).

The script defines a generator `steps()`. Whenever it yields a number, Blender handles events and draws for that many
seconds. It can use `window`, `view` (the area of the 3D view), `arguments`, and all definitions in INSIDE.
"""
import json, os, signal, subprocess, tempfile

SIZE = 1280, 960

INSIDE = r'''
import json, os, sys, time, traceback
import numpy
if not hasattr(numpy, 'bool'):
    numpy.bool = bool          # Debian's Blender 3.4.1 uses a name that newer NumPys lack
import bpy

zipped, *arguments = sys.argv[sys.argv.index('--') + 1:]
bpy.context.preferences.view.show_splash = False
bpy.context.preferences.view.smooth_view = 0
window = bpy.context.window_manager.windows[0]
view = next(area for area in window.screen.areas if area.type == 'VIEW_3D')


def region(kind='WINDOW', area=view):
    return next(r for r in area.regions if r.type == kind)


def here(kind='WINDOW'):
    """The context of somebody whose mouse is over the 3D view."""
    return bpy.context.temp_override(window=window, area=view, region=region(kind))


def move(x, y):
    window.event_simulate(type='MOUSEMOVE', value='NOTHING', x=x, y=y)


def press(key, x=SIZE[0] // 2, y=SIZE[1] // 2, **modifiers):
    for value in ('PRESS', 'RELEASE'):
        window.event_simulate(type=key, value=value, x=x, y=y, **modifiers)


def until(met, seconds=60):
    """Waits for something that may take long on a slow machine."""
    end = time.monotonic() + seconds
    while not met() and time.monotonic() < end:
        yield 0.1


def open_sidebar(panel):
    """Shows the tab of the 3D view's sidebar that has a panel: by name since Blender 4.2, in earlier versions with the mouse wheel."""
    draw, drawn = panel.draw, []

    def seen(self, context):
        drawn.append(True)
        return draw(self, context)

    panel.draw = seen
    view.spaces.active.show_region_ui = True
    yield 0.3
    side = region('UI')
    if bpy.app.version >= (4, 2):
        side.active_panel_category = panel.bl_category
        side.tag_redraw()
    x, y = side.x + side.width - 8, side.y + side.height // 2       # over the tabs
    move(x, y)
    yield 0.2
    for _ in range(10):
        if not drawn:
            press('WHEELDOWNMOUSE', x, y)
            yield 0.3
    panel.draw = draw
    assert drawn
    move(x - 200, y)
    yield 0.3


def photograph():
    """The window, as rows from below of red, green, blue (0 to 1). Read from Xvfb's memory, in the format XWD, because
    screenshots that Blender 5 makes of a virtual screen are black."""
    data = numpy.fromfile(os.environ['REANIMA_SCREEN'], numpy.uint8)
    header = data[:100].view('>u4')
    size, width, height, line, colours = (int(header[i]) for i in (0, 4, 5, 12, 19))
    start = size + 12 * colours
    rows = data[start:start + line * height].reshape(height, line)[::-1, :4 * width].reshape(height, width, 4)
    return rows[:, :, 2::-1].astype(numpy.float32) / 255


def changed(before, after):
    """The box around everything that differs between two photographs: slices of rows and columns."""
    differs = numpy.abs(before - after).max(axis=2) > 0.02
    rows, columns = numpy.nonzero(differs.any(axis=1))[0], numpy.nonzero(differs.any(axis=0))[0]
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def save(pixels, path):
    height, width = pixels.shape[:2]
    image = bpy.data.images.new('photograph', width, height)
    image.colorspace_settings.name = 'Non-Color'
    image.pixels.foreach_set(numpy.dstack([pixels, numpy.ones((height, width, 1), numpy.float32)]).astype(numpy.float32).ravel())
    settings = bpy.context.scene.render.image_settings
    settings.file_format, settings.color_mode, settings.compression = 'PNG', 'RGB', 100
    shown = bpy.context.scene.view_settings
    before, shown.view_transform = shown.view_transform, 'Raw'
    image.save_render(path)
    shown.view_transform = before
    bpy.data.images.remove(image)


def result(value):
    print('\nRESULT ' + json.dumps(value), flush=True)


bpy.ops.preferences.addon_install(filepath=zipped, overwrite=True)
bpy.ops.preferences.addon_enable(module='reanima')
'''

DRIVE = r'''
running = steps()


def drive():
    try:
        return next(running)
    except StopIteration:
        status = 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)       # without asking whether to save the file


bpy.app.timers.register(drive, first_interval=0.5)
'''


def run(script, zipped, *arguments, timeout=300):
    """-> the output of Blender; the add-on is installed from a zip, in separate folders"""
    with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
        path = os.path.join(folder, 'steps.py')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('SIZE = %r\n' % (SIZE,) + INSIDE + script + DRIVE)
        os.makedirs(os.path.join(folder, 'scripts', 'addons'))
        own = dict(os.environ, PATH='/usr/bin:/bin', REANIMA_SCREEN=os.path.join(folder, 'Xvfb_screen0'), BLENDER_USER_SCRIPTS=os.path.join(folder, 'scripts'), BLENDER_USER_CONFIG=folder)
        started = subprocess.Popen(['xvfb-run', '-a', '-s', '-screen 0 %dx%dx24 -fbdir %s' % (*SIZE, folder), 'blender', '--factory-startup', '--enable-event-simulate',
                                    '--window-geometry', '0', '0', *map(str, SIZE), '--python-exit-code', '1', '--python', path, '--', zipped, *map(str, arguments)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=own, start_new_session=True)
        try:
            return started.communicate(timeout=timeout)[0].decode('utf-8', 'replace')
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            raise


def answer(printed):
    """The argument of the script's call of result(); None if there was no call."""
    lines = [line for line in printed.splitlines() if line.startswith('RESULT ')]
    return json.loads(lines[-1][7:]) if lines else None
