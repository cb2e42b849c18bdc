# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the command that somebody typed. Needs no Blender."""
import shlex

from .command import CommandError

# `info` takes these, too: they may change what clips a file has, and their rates.
READING = {'--additive', '--color-key', '--events', '--filter', '--format', '--game', '--hide-group', '--joint-root', '--joints', '--limit-memory',
           '--limit-samples', '--lit', '--materials', '--names-by', '--no-companion', '--overlay', '--palette', '--rate', '--scale', '--skeleton-format', '--subdivide', '--textures',
           '--textures-by', '--transpose', '--unlit', '--weapon'}
SHAPING = {'--grip', '--interpolation', '--mode', '--plant-feet', '--proxy-mesh', '--reduce', '--rest', '--rig-scale', '--source-rest'}
VIDEO = {'--color-key', '--format', '--limit-memory', '--limit-samples', '--rate', '--transpose'}   # of these, what `frames` takes


class Options:
    """Lists of arguments: `reading` for every call that reads the files, `shaping` for conversions, `video` for frames."""

    def __init__(self, text='', reading=()):
        """text: as typed; reading: arguments that were chosen in another way"""
        self.reading, self.shaping, self.video = [], [], []
        for option in [*parts(reading), *parts(words(text))]:
            name = option[0].partition('=')[0]
            if name not in READING | SHAPING:
                raise CommandError('More options: %s cannot be given here. These can: %s.' % (name, ', '.join(sorted(READING | SHAPING))))
            (self.reading if name in READING else self.shaping).extend(option)
            if name in VIDEO:
                self.video.extend(option)


def words(text):
    """A line's words; what is in quotes is one. A backslash is a letter of Windows' paths."""
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, '', ''
    try:
        return list(lexer)
    except ValueError:
        raise CommandError('More options: a quotation mark is not closed: %s' % text) from None


def parts(arguments):
    """Every option with its values."""
    found = []
    for argument in arguments:
        if argument.startswith('-') or not found:
            found.append([])
        found[-1].append(argument)
    return found
