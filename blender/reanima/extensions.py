# SPDX-License-Identifier: GPL-3.0-or-later
"""Extensions of the formats that hold joints or videos. Written by scripts/addon_extensions.py."""

FORMATS = ('.da', '.ff7da', '.a00', '.aa', '.ff7aa', '.d', '.a', '.hrc', '.dat', '.ff9anim', '.ff9model',
           '.ff9db', '.ff9chunk', '.anim', '.cinf', '.ancs', '.cmdl', '.rlf')
