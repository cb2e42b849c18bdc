# SPDX-License-Identifier: GPL-3.0-or-later
"""What files hold, from `reanima info --json`: clips, bare skeletons, videos. Needs no Blender."""

CLIP, SKELETON, VIDEO = 'CLIP', 'SKELETON', 'VIDEO'


class Item:
    """Something to choose. `joints` is what two items must share to be on one armature."""

    def __init__(self, kind, file, format, model, name, index, frames, seconds, rate, joints):
        self.kind, self.file, self.format, self.model, self.name, self.index = kind, file, format, model, name, index
        self.frames, self.seconds, self.rate, self.joints = frames, seconds, rate, joints

    @property
    def where(self):
        """The file without its folder, and the model."""
        short = self.file.replace('\\', '/').rsplit('/', 1)[-1]
        return short if self.model is None else '%s, %s' % (short, self.model)


def items_of(described):
    """The items of the list that `info --json` printed, in its order; bare skeletons only where nothing else is."""
    found = [item for file in described for item in items_of_file(file)]
    return [i for i in found if i.kind != SKELETON] or found


def items_of_file(file):
    if 'images' in file:
        return [Item(VIDEO, file['file'], file['format'], None, v['name'], i, v['frames'], v['seconds'], v['rate'][0] / v['rate'][1], ())
                for i, v in enumerate(file['images'])]
    joints = {}
    for joint in file['joints']:
        joints.setdefault(joint.get('model'), []).append((joint['name'], joint['parent']))
    clips = [Item(CLIP, file['file'], file['format'], c.get('model'), c['name'], c['index'], c['frames'], c['seconds'], c['rate'],
                  tuple(joints.get(c.get('model'), ()))) for c in file['clips']]
    animated = {c.model for c in clips}
    return clips + [Item(SKELETON, file['file'], file['format'], model, 'skeleton', None, 0, 0.0, None, tuple(of))
                    for model, of in joints.items() if model not in animated]


class Group:
    """Files for one armature: all their items in order, as one conversion puts them out, and those that were chosen."""

    def __init__(self, model):
        self.model, self.files, self.items, self.chosen = model, [], [], []

    def rates(self):
        return sorted({i.rate for i in self.chosen if i.rate})


def groups_of(items, chosen):
    """Groups of the chosen clips and skeletons; `chosen` is a part of `items`."""
    chosen, groups = set(chosen), {}
    for item in items:
        if item.kind != VIDEO and item in chosen:
            group = groups.setdefault((item.joints, item.model), Group(item.model))
            group.chosen.append(item)
            if item.file not in group.files:
                group.files.append(item.file)
    for (_, model), group in groups.items():
        group.items = [i for f in group.files for i in items if i.file == f and i.model == model]
    return list(groups.values())


def chosen_by_names(items, names):
    """The items with these names (or `file:name`); all if there are none. Unknown names are returned, too."""
    wanted = [n.strip() for n in names.split(',') if n.strip()]
    if not wanted:
        return list(items), []
    found = [i for i in items if i.name in wanted or '%s:%s' % (i.file, i.name) in wanted]
    known = {n for i in found for n in (i.name, '%s:%s' % (i.file, i.name))}
    return found, [n for n in wanted if n not in known]
