# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads job files of the command, NAME.reanima.json, as files with settings of the dialog. Needs no Blender."""
import json
import os
import shlex

from . import options as known
from .command import CommandError

ENDING = '.reanima.json'
MEMBERS = {'schema', 'inputs', 'skeleton', 'source_skeleton', 'map', 'names', 'output', 'options'}
# Options that are settings of the dialog, and options that only concern the command's output.
SETTINGS = {'root-motion': 'root_motion', 'root-scale': 'root_scale', 'weapon': 'weapon', 'rate': 'play_rate', 'clip': 'only'}
ASIDE = {'resample', 'compact', 'force', 'end-joints', 'rig-mesh', 'keep-mesh', 'no-keep-mesh', 'with-mesh', 'no-mesh', 'proxy-mesh', 'report', 'name'}


def is_job(path):
    return path.lower().endswith(ENDING)


class Job:
    """paths: its inputs; settings: properties of the dialog, by name; aside: options without a meaning here"""

    def __init__(self, paths, settings, aside):
        self.paths, self.settings, self.aside = paths, settings, aside


def read(path):
    try:
        with open(path, encoding='utf-8') as file:
            told = json.load(file)
    except (OSError, ValueError) as error:
        raise CommandError('%s: %s' % (path, error)) from None
    jobs = told if isinstance(told, list) else [told]
    if len(jobs) != 1:
        raise CommandError('%s contains %d jobs, expected one: open their inputs instead.' % (path, len(jobs)))
    job = jobs[0]
    if not isinstance(job, dict) or job.get('schema') != 1:
        raise CommandError('%s: schema: expected an object with "schema": 1' % path)
    for name in sorted(set(job) - MEMBERS):
        raise CommandError('%s: %s: is not a member of a job' % (path, name))
    beside = lambda name: os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(path)), name))
    inputs = job.get('inputs', [os.path.basename(path)[:-len(ENDING)]])
    if not isinstance(inputs, list) or not inputs or not all(isinstance(i, str) for i in inputs):
        raise CommandError('%s: inputs: expected a list of paths' % path)
    settings = {}
    for member, name in (('skeleton', 'source_skeleton'), ('source_skeleton', 'source_skeleton'), ('names', 'names'), ('map', 'map_file')):
        given = job.get(member)
        given = given[0] if isinstance(given, list) and len(given) == 1 else given
        if given is not None:
            if not isinstance(given, str):
                raise CommandError('%s: %s: expected a path' % (path, member))
            settings[name] = beside(given)
    if 'map_file' in settings:
        settings['map_from'] = 'FILE'
    more, aside = shaped(path, job.get('options', {}), settings)
    if more:
        settings['more'] = shlex.join(more)
    return Job([beside(i) for i in inputs], settings, aside)


def shaped(path, options, settings):
    """Fills the settings. -> arguments for the other options, and options without a meaning here"""
    if not isinstance(options, dict):
        raise CommandError('%s: options: expected an object' % path)
    more, aside = [], []
    for name, value in options.items():
        if name in ASIDE:
            aside.append(name)
        elif name == 'loop-key' and value is True:
            settings['loop_key'] = True
        elif name in SETTINGS:
            if name in ('rate', 'root-scale') and not isinstance(value, (int, float)):
                raise CommandError('%s: options.%s: expected a number' % (path, name))
            values = [str(v) for v in (value if isinstance(value, list) else [value])]
            settings[SETTINGS[name]] = float(value) if name in ('rate', 'root-scale') else ','.join(values)
        else:
            given = ['--' + name + ('' if one is True else '=%s' % one) for one in (value if isinstance(value, list) else [value]) if one is not False]
            more += known.allowed(given, known.READING | known.SHAPING, '%s: options' % path)
    return [word for option in more for word in option], aside
