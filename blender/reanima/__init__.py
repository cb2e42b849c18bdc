# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports the animations of classic games by the command `reanima`."""

bl_info = {
    'name': 'reanima: animations of classic games',
    'author': 'The reanima project',
    'version': (0, 2, 0),
    'blender': (3, 4, 0),
    'location': 'File > Import and Export > Classic game animation; 3D view > sidebar > Reanima',
    'description': 'Game animations as actions, on a new armature or on yours',
    'category': 'Import-Export',
}


def register():
    from . import export_dialog, mapping, operators, preferences, versions
    for module in (preferences, mapping, operators, export_dialog):
        module.register()
    versions.register_file_handler(operators.DROPPED, operators.IMPORT)


def unregister():
    from . import export_dialog, mapping, operators, preferences, versions
    versions.unregister_file_handler()
    for module in (export_dialog, operators, mapping, preferences):
        module.unregister()
