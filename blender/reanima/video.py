# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports videos: their frames as PNG files, shown on a plane or as a strip in the video sequencer."""
import os
import shutil
import tempfile

import bpy

from . import meshes, versions
from .command import CommandError

LONG = 300000   # length of a node's images: more than any scene has, so that it never clamps


def add(context, command, item, settings, report):
    """Adds one video as a plane or a strip. Work (see progress). The frames stay in a folder that report.folders
    lists."""
    folder = folder_of(item, settings)
    if os.path.isdir(folder) and not os.path.isfile(os.path.join(folder, 'frames.json')):
        raise CommandError('The folder %s already holds other files. Choose another folder for the frames.' % folder)
    frames = Folder(folder)
    report.folders.append(frames)
    described, warnings = yield from command.frames(item.file, frames.written, settings.options.video)
    yield 'Showing ' + item.name, 0.9
    frames.show()
    yield 'Showing ' + item.name, 0.95
    for text in warnings:
        report.warn(text)
    if settings.video_as == 'STRIP':
        add_strip(context.scene, item, folder, described, report)
    else:
        add_plane(context, item, folder, described, settings.scale, report)
    report.info('%s: %d frames in %s.' % (item.name, len(described['frames']), folder))


class Folder:
    """A folder of frames. An existing folder gets the new frames when all are written, and can be restored."""

    def __init__(self, path):
        path = os.path.abspath(path)
        self.path, self.written, self._before, self._made = path, path, None, None
        try:
            if os.path.isdir(path):
                self.written = tempfile.mkdtemp(prefix=os.path.basename(path) + '_', dir=os.path.dirname(path))
                shutil.copymode(path, self.written)
            else:
                self._made = path
                while not os.path.isdir(os.path.dirname(self._made)):
                    self._made = os.path.dirname(self._made)
        except OSError as error:
            raise CommandError('The frames cannot be written: %s' % error) from None

    def show(self):
        if self._made is not None:
            return
        before = self.written + '_before'
        try:
            os.rename(self.path, before)
            self._before = before
            os.rename(self.written, self.path)
        except OSError as error:
            raise CommandError('The frames cannot be replaced: %s' % error) from None

    def keep(self):
        """Keeps the imported frames. Other files in the folder stay."""
        if self._before is not None:
            for name in set(os.listdir(self._before)) - set(os.listdir(self.path)):
                os.rename(os.path.join(self._before, name), os.path.join(self.path, name))
            shutil.rmtree(self._before, ignore_errors=True)

    def undo(self):
        """Restores the old state."""
        shutil.rmtree(self._made or self.written, ignore_errors=True)
        if self._before is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            os.rename(self._before, self.path)


def folder_of(item, settings):
    """The folder for frames: the chosen folder, or the folder of the .blend file or of the video."""
    base = bpy.path.abspath(settings.video_folder) if settings.video_folder else bpy.path.abspath('//')
    if not base:
        base = os.path.dirname(os.path.abspath(item.file))   # of an archive's entry: the archive's folder
        while not os.path.isdir(base):
            base = os.path.dirname(base)
    return os.path.join(base, bpy.path.clean_name(item.name) + '_frames')


def rate_of(described):
    return described['rate'][0] / described['rate'][1]


def scene_rate(scene):
    return scene.render.fps / scene.render.fps_base


def add_plane(context, item, folder, described, height, report):
    """Adds an upright plane that faces the front. height: in metres"""
    width = height * described['width'] / described['height']
    data = bpy.data.meshes.new(item.name)
    data.from_pydata([(-width / 2, 0, 0), (width / 2, 0, 0), (width / 2, 0, height), (-width / 2, 0, height)], [], [(0, 1, 2, 3)])
    data.uv_layers.new(name='UVMap').data.foreach_set('uv', (0, 0, 1, 0, 1, 1, 0, 1))
    data.materials.append(material_of(context.scene, item, folder, described, report))
    plane = bpy.data.objects.new(item.name, data)
    context.collection.objects.link(plane)


def material_of(scene, item, folder, described, report):
    material = bpy.data.materials.new(item.name)
    tree = versions.nodes_of(material)
    tree.nodes.clear()
    texture = tree.nodes.new('ShaderNodeTexImage')
    first = os.path.join(folder, described['frames'][0])
    texture.image = bpy.data.images.load(first)
    texture.image.filepath = as_stored(first)
    texture.image.source = 'SEQUENCE'
    texture.interpolation = 'Closest'
    show_frames(scene, tree, texture, described, report)
    shader = tree.nodes.new('ShaderNodeEmission')
    tree.links.new(texture.outputs['Color'], shader.inputs['Color'])
    surface = shader.outputs[0]
    if described.get('color_key') is not None:
        surface = meshes.see_through(tree, surface, texture.outputs['Alpha'])
        versions.show_transparency(material, cut=True)
    tree.links.new(surface, tree.nodes.new('ShaderNodeOutputMaterial').inputs['Surface'])
    return material


def show_frames(scene, tree, texture, described, report):
    """Shows the video's frame f at frame f of the scene, and repeats the video. At another rate, shows the frame for the
    same time.

    A node shows the file whose number is: frame - frame_start + 1 + frame_offset. The first file has the number 0.
    """
    user, count, speed = texture.image_user, len(described['frames']), rate_of(described) / scene_rate(scene)
    user.use_auto_refresh = True
    user.frame_start, user.frame_offset = 0, -1
    if abs(speed - 1) < 1e-4:
        user.frame_duration, user.use_cyclic = count, True
        return
    user.frame_duration = LONG
    texture.name = 'Video'
    driver = tree.driver_add('nodes["Video"].image_user.frame_offset').driver
    driver.type = 'SCRIPTED'
    driver.expression = 'fmod(floor(frame * %.9g + 0.0001), %d) - frame - 1' % (speed, count)
    report.info('The video has %.6g frames per second, the scene %.6g: frames are repeated or skipped.' % (rate_of(described), scene_rate(scene)))


def as_stored(path):
    """A path as Blender stores it: relative to a saved .blend, unless the preferences say otherwise."""
    if not bpy.data.is_saved or not bpy.context.preferences.filepaths.use_relative_paths:
        return path
    try:
        return bpy.path.relpath(path)
    except ValueError:      # on another drive
        return path


def add_strip(scene, item, folder, described, report):
    """Adds a strip of images in a free channel. At another rate, frames are repeated or skipped."""
    strips = versions.strips(scene)
    speed, names = rate_of(described) / scene_rate(scene), described['frames']
    shown = [names[min(int(f * speed + 1e-4), len(names) - 1)] for f in range(max(1, round(len(names) / speed)))]
    channel = min(128, max((s.channel for s in strips), default=0) + 1)
    strip = strips.new_image(item.name, as_stored(os.path.join(folder, shown[0])), channel, 0)
    for name in shown[1:]:
        strip.elements.append(name)
    versions.set_length(strip, len(shown))
    if abs(speed - 1) > 1e-4:
        report.info('The video has %.6g frames per second, the scene %.6g: frames are repeated or skipped.' % (rate_of(described), scene_rate(scene)))
