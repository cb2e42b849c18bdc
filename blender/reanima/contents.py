# SPDX-License-Identifier: GPL-3.0-or-later
"""What files hold, from `reanima info --json`: clips, bare skeletons, videos. Needs no Blender."""

import glob
import os

CLIP, SKELETON, VIDEO = 'CLIP', 'SKELETON', 'VIDEO'


class Item:
    """Something to choose. `joints` has every joint's parent and length by its name; `skeleton` is the file that was
    chosen along with a clip that has none; `dressed` tells whether the file has a mesh for it."""

    def __init__(self, kind, file, format, model, name, index, frames, seconds, rate, joints):
        self.kind, self.file, self.format, self.model, self.name, self.index = kind, file, format, model, name, index
        self.frames, self.seconds, self.rate, self.joints, self.skeleton, self.dressed = frames, seconds, rate, joints, None, False

    @property
    def where(self):
        """The file without its folder, and the model."""
        short = self.file.replace('\\', '/').rsplit('/', 1)[-1]
        return short if self.model is None else '%s, %s' % (short, self.model)


def items_of(described):
    """The items of the list that `info --json` printed, in its order; bare skeletons only where nothing else is."""
    found = [item for file in described for item in items_of_file(file)]
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
    joints, names = {}, {(j.get('model'), j['index']): j['name'] for j in file['joints']}
    for joint in file['joints']:
        model = joint.get('model')
        joints.setdefault(model, {})[joint['name']] = (names.get((model, joint['parent'])), joint['length'])
    clips = [Item(CLIP, file['file'], file['format'], c.get('model'), c['name'], c['index'], c['frames'], c['seconds'], c['rate'],
                  joints.get(c.get('model'), {})) for c in file['clips']]
    if not joints and file.get('meshes'):
        return [Item(SKELETON, file['file'], file['format'], None, 'mesh', None, 0, 0.0, None, {})]
    animated = {c.model for c in clips}
    found = clips + [Item(SKELETON, file['file'], file['format'], model, 'skeleton', None, 0, 0.0, None, of)
                    for model, of in joints.items() if model not in animated]
    for item in found:
        item.dressed = has_mesh(file, item.model)
    return found


def has_mesh(file, model):
    if model is None:
        return bool(file.get('meshes'))
    return any(m['id'] == model and m['triangles'] for m in file.get('models', ()))


def share_a_skeleton(a, b):
    """Whether joints belong to one skeleton. Some files need helpers of their own (the scale of a single joint)."""
    common = a.keys() & b.keys()
    alike = all(a[n][0] == b[n][0] and abs(a[n][1] - b[n][1]) <= 1e-5 for n in common)
    return alike and 4 * len(common) >= 3 * max(len(a), len(b))


class Group:
    """Files for one armature: all their items in order, as one conversion puts them out, and those that were chosen."""

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
    """The items with these names (or `file:name`); all if there are none. Unknown names are returned, too."""
    wanted = [n.strip() for n in names.split(',') if n.strip()]
    if not wanted:
        return list(items), []
    found = [i for i in items if i.name in wanted or '%s:%s' % (i.file, i.name) in wanted]
    known = {n for i in found for n in (i.name, '%s:%s' % (i.file, i.name))}
    return found, [n for n in wanted if n not in known]


def characters_of(found, archive):
    """Names of the characters in every entry of an archive, from `find --json`: by the entry's name"""
    names = {}
    for one in found:
        entry = one['file'][len(archive) + 1:]
        name = one['full_name'] or one['name'] or (str(one['model']) if one['model'] is not None else entry)
        told = name if one['clips'] or not one['joints'] else name + ' (no clips)'
        if told not in names.setdefault(entry, []):
            names[entry].append(told)
    return {entry: ', '.join(each) for entry, each in names.items()}


def names_beside(paths):
    """NAME.names.csv beside the file NAME, or the only file of such a name in its folder; None if there is none"""
    for path in paths[:1]:
        folder, name = os.path.split(path)
        stem = name.split(':')[0].rpartition('.')[0] or name
        if os.path.isfile(os.path.join(folder, stem + '.names.csv')):
            return os.path.join(folder, stem + '.names.csv')
        found = glob.glob(os.path.join(glob.escape(folder), '*.names.csv')) if folder else []
        if len(found) == 1:
            return found[0]
    return None
