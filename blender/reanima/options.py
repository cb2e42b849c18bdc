# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the command from the user or from an untrusted file. Needs no Blender."""
import re
import shlex

from .command import CommandError

# These are also options of `info`, since they may change the clips of a file and their rates. Second names are included.
READING = {'--additive', '--color-key', '--events', '--filter', '--format', '--fps', '--game', '--hide-group', '--joint-root', '--joints', '--lighting',
           '--limit-memory', '--limit-samples', '--lit', '--materials', '--names-by', '--no-companion', '--palette', '--rate', '--scale', '--skeleton-format',
           '--subdivide', '--textures', '--textures-by', '--transpose', '--unlit', '--up', '--weapon'}
SHAPING = {'--grip', '--interpolation', '--mode', '--plant-feet', '--proxy-mesh', '--reduce', '--rest', '--rig-scale', '--source-rest'}
# Options of an import: how a file is converted to clips and joints, and how these are bound.
IMPORTED = READING | SHAPING | {'--end-joints', '--loop-key', '--map', '--model', '--names', '--no-mesh', '--root-motion', '--root-scale', '--skeleton',
                                '--source-skeleton', '--with-mesh'}
FORMER = {'--overlay'}          # options of earlier versions that are now always active
VIDEO = {'--color-key', '--format', '--limit-memory', '--limit-samples', '--rate', '--fps', '--transpose'}   # also options of `frames`


class Options:
    """Lists of arguments: `reading` for every call that reads the files, `shaping` for conversions, `video` for
    frames."""

    def __init__(self, text='', reading=()):
        """text: as typed; reading: arguments from other settings"""
        self.reading, self.shaping, self.video = [], [], []
        for option in allowed([*reading, *words(text, 'More options')], READING | SHAPING, 'More options'):
            (self.reading if option[0] in READING else self.shaping).extend(option)
            if option[0] in VIDEO:
                self.video.extend(option)


def allowed(arguments, names, whose):
    """Filters options from a person, a .blend or a job file. Only these names are allowed, each with up to one value
    that is not an option itself. -> every option as a list. whose: start of the message about a rejected option"""
    found = []
    for option in parts(arguments):
        name, equals, value = option[0].partition('=')
        values = [value] * bool(equals) + option[1:]
        if name in FORMER:
            continue
        if name not in names:
            raise CommandError('%s: %s cannot be given here. These can: %s.' % (whose, name, ', '.join(sorted(names))))
        if len(values) > 1 or any(begins_option(v) for v in values):
            raise CommandError('%s: %s has the values %s, expected one, without a dash in front.' % (whose, name, ', '.join(values)))
        found.append([name, *values])
    return found


def imported(text, action):
    """The options of an action's import, as stored in a .blend, as arguments."""
    whose = 'The action %s' % action
    return [word for option in allowed(words(text, whose), IMPORTED, whose) for word in option]


def words(text, whose):
    """The words of a line. Quoted text is one word. Backslashes are plain characters, for Windows' paths."""
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, '', ''
    try:
        return list(lexer)
    except ValueError:
        raise CommandError('%s: a quotation mark is not closed: %s' % (whose, text)) from None


def begins_option(argument):
    """Whether a text is an option or means standard input. A number is neither, nor is an axis (`-z`)."""
    return argument.startswith('-') and not re.match(r'-(\.?\d|[xyz]$)', argument)


def parts(arguments):
    """Every option with its values."""
    found = []
    for argument in arguments:
        if begins_option(argument) or not found:
            found.append([])
        found[-1].append(argument)
    return found
