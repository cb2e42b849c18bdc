# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of files, from `reanima info --json`: clips, bare skeletons, videos. Needs no Blender."""

import glob
import os
import re

from .command import CommandError, shortened

CLIP, SKELETON, VIDEO = 'CLIP', 'SKELETON', 'VIDEO'
OTHER = 'rig'      # the command's word for files of other programs


class Item:
    """An item for selection. `joints`: every joint's parent, length and number in the game, by name.
    `skeleton`: the file that was chosen for a clip without a skeleton. `dressed`: whether the file has a mesh for it.
    `title`: the character's name from the game or a table; `named`: whether the clip's name is also from there.
    `cyclic`: whether it loops, as the file states or as its poses show. `roles`: the certain roles, by joint."""

    def __init__(self, kind, file, format, model, name, index, frames, seconds, rate, joints):
        self.kind, self.file, self.format, self.model, self.name, self.index = kind, file, format, model, name, index
        self.frames, self.seconds, self.rate, self.joints, self.skeleton, self.dressed = frames, seconds, rate, joints, None, False
        self.title, self.named, self.cyclic, self.roles = None, False, False, {}

    @property
    def _short(self):
        return self.file.replace('\\', '/').rsplit('/', 1)[-1]

    @property
    def where(self):
        """The file without its folder, the model, and the character."""
        who = ' '.join(str(part) for part in (self.model, self.title) if part is not None)
        return '%s, %s' % (self._short, who) if who else self._short

    @property
    def person(self):
        """The character's name, or a name made from the file's name."""
        stem = os.path.splitext(self._short.split(':')[-1])[0]
        return self.title or (stem if self.model is None else '%s_%s' % (stem, self.model))

    def action_name(self, name):
        """The name of a clip's action. Names from a user's file stay unchanged, as do names made from the file's name
        and numbers."""
        return name if name != self.name or not (self.title or self.named) else of_person(self.person, name)


def of_person(person, name):
    """A name that several characters may use, prefixed by the character's name."""
    return name if name.startswith(person) else '%s_%s' % (person, name)


def items_of(described):
    """The items from `info --json`, in its order. Bare skeletons are only included if there is nothing else. Files of
    other programs are left out: Blender imports them."""
    others = [file['file'] for file in described if file['format'] == OTHER]
    if others and len(others) == len(described):
        raise CommandError('%s is not a file of a game. Blender imports it: File > Import, for example Motion Capture (.bvh), FBX or glTF 2.0.' % shortened(others))
    found = [item for file in described if file['format'] != OTHER for item in items_of_file(file)]
    others = [i for i in found if i.kind != SKELETON]
    skeletons = [i for i in found if i.kind == SKELETON and i.joints]
    if len(skeletons) == 1:
        alone = {file['file'] for file in described if file.get('skeleton') == 'made-up'}
        for item in others:
            if item.kind == CLIP and item.file in alone:
                item.skeleton, item.joints = skeletons[0].file, skeletons[0].joints
    return others or found


def items_of_file(file):
    if 'images' in file:
        return [Item(VIDEO, file['file'], file['format'], None, v['name'], i, v['frames'], v['seconds'], v['rate'][0] / v['rate'][1], {})
                for i, v in enumerate(file['images'])]
    joints, roles, names = {}, {}, {(j.get('model'), j['index']): j['name'] for j in file['joints']}
    for joint in file['joints']:
        model = joint.get('model')
        joints.setdefault(model, {})[joint['name']] = (names.get((model, joint['parent'])), joint['length'], joint.get('id'))
        roles.setdefault(model, {})[joint['name']] = joint.get('role')
    clips = [clip_of(file, clip, joints.get(clip.get('model'), {})) for clip in file['clips']]
    if not joints and file.get('meshes'):
        return [Item(SKELETON, file['file'], file['format'], None, 'mesh', None, 0, 0.0, None, {})]
    animated = {c.model for c in clips}
    found = clips + [Item(SKELETON, file['file'], file['format'], model, 'skeleton', None, 0, 0.0, None, of)
                    for model, of in joints.items() if model not in animated]
    titles = {m['id']: m.get('title') for m in file.get('models', ())} or {None: (file.get('character') or {}).get('title')}
    for item in found:
        item.dressed, item.title = has_mesh(file, item.model), titles.get(item.model)
        item.roles = {joint: role for joint, role in roles.get(item.model, {}).items() if role}
    return found


def clip_of(file, clip, joints):
    item = Item(CLIP, file['file'], file['format'], clip.get('model'), clip['name'], clip['index'], clip['frames'], clip['seconds'], clip['rate'], joints)
    item.named = clip.get('named_by', 'file') != 'file'
    item.cyclic = bool(clip.get('closed') if clip.get('loop') is None else clip['loop'])
    return item


def has_mesh(file, model):
    if model is None:
        return bool(file.get('meshes'))
    return any(m['id'] == model and m['triangles'] for m in file.get('models', ()))


def share_a_skeleton(a, b):
    """Whether joints belong to one skeleton. Some files need additional helpers (the scale of a single joint), which have
    no number in the game."""
    common = a.keys() & b.keys()
    alike = all((a[n][0], a[n][2]) == (b[n][0], b[n][2]) and abs(a[n][1] - b[n][1]) <= 1e-5 for n in common)
    return alike and 4 * len(common) >= 3 * max(len(a), len(b))


class Group:
    """The files for one armature, with all their items in the order of a conversion, and the chosen items."""

    def __init__(self, first):
        self.model, self.joints, self.skeleton = first.model, first.joints, first.skeleton
        self.files, self.items, self.chosen = [], [], []

    def takes(self, item):
        return (item.model, item.skeleton) == (self.model, self.skeleton) and share_a_skeleton(item.joints, self.joints)


def groups_of(items, chosen):
    """Groups of the chosen clips and skeletons; `chosen` is a part of `items`."""
    chosen, groups = set(chosen), []
    for item in items:
        if item.kind == VIDEO or item not in chosen:
            continue
        group = next((g for g in groups if g.takes(item)), None)
        if group is None:
            group = Group(item)
            groups.append(group)
        group.chosen.append(item)
        if item.file not in group.files:
            group.files.append(item.file)
    for group in groups:
        group.items = [i for f in group.files for i in items if i.file == f and i.model == group.model]
    return groups


def chosen_by_names(items, names):
    """The items with these names (or `file:name`), and all items of these characters. Without names, all items. Also
    returns unknown names."""
    wanted = [n.strip() for n in names.split(',') if n.strip()]
    if not wanted:
        return list(items), []
    names_of = lambda i: (i.name, '%s:%s' % (i.file, i.name), i.person)
    found = [i for i in items if any(n in wanted for n in names_of(i))]
    known = {n for i in found for n in names_of(i)}
    return found, [n for n in wanted if n not in known]


def characters_of(found, archive):
    """The characters in every entry of an archive, by the entry's name, from `find --json`."""
    names = {}
    for one in found:
        entry = one['file'][len(archive) + 1:]
        name = one['full_name'] or one['name'] or (str(one['model']) if one['model'] is not None else entry)
        told = name if one['clips'] or not one['joints'] else name + ' (no clips)'
        if told not in names.setdefault(entry, []):
            names[entry].append(told)
    return {entry: ', '.join(each) for entry, each in names.items()}


def names_beside(paths):
    """NAME.names.csv beside the file NAME, or the only file with such a name in its folder. None if there is none."""
    for path in paths[:1]:
        folder, name = os.path.split(path)
        stem = name.split(':')[0].rpartition('.')[0] or name
        if os.path.isfile(os.path.join(folder, stem + '.names.csv')):
            return os.path.join(folder, stem + '.names.csv')
        found = glob.glob(os.path.join(glob.escape(folder), '*.names.csv')) if folder else []
        if len(found) == 1:
            return found[0]
    return None
