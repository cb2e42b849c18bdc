# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores the origin of actions, armatures and bones as custom properties, and handles an action whose clip is imported
again. Existing images are reused."""
import hashlib
import json
import os
import re
import shlex
import uuid

from .command import CommandError, shortened

MAP = 'reanima_map_'   # prefix for a mapping that actions of an armature were imported with; a key follows
FROM = 'reanima'      # a custom property: a group with the members below
SAME = ('file', 'entry', 'model', 'index')     # members that identify a clip
ID = 'reanima_id'     # of an armature: its identifier, which does not depend on its name, then its earlier ones
HELD, RIG = 'reanima_held_', 'reanima_rig_'     # prefixes for the constraints and the rest pose of an armature at an import; a key follows


def apart(path):
    """A file and the entry of the archive FILE:ENTRY. The entry is '' for other files."""
    at = path.rfind(':')
    while at > 1 and not os.path.exists(path):
        if os.path.isfile(path[:at]):
            return path[:at], path[at + 1:]
        at = path.rfind(':', 0, at)
    return path, ''


def of_item(item, options, key):
    """The origin of a clip or a skeleton before it is read. options: of the command, key: of the content"""
    file, entry = apart(item.file)
    return {'file': os.path.abspath(file), 'entry': entry, 'model': item.model, 'format': item.format, 'options': shlex.join(options), 'key': key}


def of_clip(item, clip, options, key):
    return dict(of_item(item, options, key), clip=item.name, id=clip.id, index=item.index, rate=item.rate, frames=item.frames)


def maps_of(options):
    """Replaces paths of mapping files by keys, since the files may be temporary. -> the options, and the files' texts
    by key"""
    kept, texts, after = [], {}, ''
    for option in options:
        if after == '--map':
            with open(option, encoding='utf-8') as file:
                text = file.read()
            option = key_of(MAP, text)
            texts[option] = text
        kept.append(option)
        after = option
    return kept, texts


def with_maps(data, options, folder):
    """Replaces keys by paths of files that are written to a folder. A .blend may contain any text, so only keys are
    accepted."""
    found, after = [], ''
    for option in options:
        if after == '--map':
            text = text_of(data, MAP, option)
            if text is None:
                raise CommandError('The armature has no mapping %s, with which an action was imported. Import it again.' % option)
            path = os.path.join(folder, option + '.json')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            option = path
        found.append(option)
        after = option
    return found


def mark(block, origin):
    """Sets custom properties. These have no null, so unknown values are left out."""
    block[FROM] = {name: value for name, value in origin.items() if value is not None}


def mark_bones(owner, joints, roles):
    """Records which joint of the file each bone is, and its role if it is known. roles: by joint"""
    for joint in joints:
        bone = owner.data.bones.get(joint.name)
        if bone is not None:
            mark(bone, {'joint': joint.name, 'index': joint.index, 'id': joint.id, 'bone': bone.name, 'role': roles.get(joint.name)})


def content_key(data):
    return hashlib.sha256(data).hexdigest()[:32]


def earlier_image(images, name, key):
    """An image that an earlier import made from the same bytes, if it is unchanged. Otherwise None."""
    for image in images:
        origin = image.get(FROM)
        if origin is not None and hasattr(origin, 'get') and (origin.get('image'), origin.get('key')) == (name, key):
            if image.library is None and not image.is_dirty and image.packed_file and content_key(image.packed_file.data) == key:
                return image
    return None


def free_name(blocks, name):
    """A name that no block has. Blender (3.4) would give a taken name to the new block and rename the old one."""
    number, free = 0, name
    while free in blocks:
        number += 1
        free = '%s.%03d' % (name[:59], number)
    return free


def identify(data, armatures):
    """The identifier of an armature. It gets a new one if it has none or shares it with a copy. None for an armature of
    another .blend."""
    ids = ids_of(data)
    linked = data.override_library.reference if data.override_library is not None else None
    others = [a for a in armatures if a not in (data, linked) and ids_of(a)[:1] == ids[:1]]
    if data.library is None and (not ids or others):
        ids.insert(0, uuid.uuid4().hex)
        data[ID] = ' '.join(ids)
    return ids[0] if ids else None


def ids_of(data):
    return data[ID].split() if isinstance(data.get(ID), str) else []


def is_of(action, data):
    """Whether an imported action was imported to an armature. Earlier versions stored only its name."""
    origin = action[FROM]
    if origin.get('armature_id') and ids_of(data):
        return origin['armature_id'] in ids_of(data)
    return origin.get('armature') == data.name


def is_orphan(action, armatures):
    """Whether there is no armature that an imported action could belong to."""
    return not any(is_of(action, data) for data in armatures)


def key_of(prefix, text):
    """The custom property in which an armature stores a text."""
    return prefix + content_key(text.encode())


def text_of(data, prefix, key):
    """A stored text. None if there is none, as in earlier versions, or if it was changed."""
    text = data.get(key) if isinstance(key, str) else None
    return text if isinstance(text, str) and key == key_of(prefix, text) else None


def data_of(data, prefix, key):
    """The object of JSON in a stored text; None as text_of()."""
    text = text_of(data, prefix, key)
    try:
        found = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def known(action):
    """The key that identifies the clip of an imported action. None for others."""
    origin = action.get(FROM)
    return tuple(origin.get(name) for name in SAME) if origin is not None and hasattr(origin, 'get') else None


def told(action):
    """The clip of an action in a few words."""
    origin = action[FROM]
    return '%s of %s' % (origin['clip'], ':'.join(part for part in (os.path.basename(origin['file']), origin['entry']) if part))


def is_played_elsewhere(action, objects, owner):
    """Whether another object plays an action: a copy of an armature gets a copy of its active action."""
    return any(o != owner and o.animation_data is not None and o.animation_data.action == action for o in objects)


def settle(actions, objects, made, again, prefix, report, differ):
    """Handles earlier actions of the same clips for the same armature. actions: all of the file; made: (object, action,
    slot) of the new ones; again: UPDATE (the new action replaces the old one), BOTH (the new action's name gets the
    prefix) or NLA (the old action is moved to a muted track); differ: tells whether the keys of two actions differ"""
    new = {action for _, action, _ in made}
    old = {}
    for action in actions:
        if action not in new and known(action) is not None:
            old.setdefault(known(action), []).append(action)
    count, edited = 0, []
    for owner, action, _ in made:
        same = [earlier for earlier in old.get(known(action), ()) if is_of(earlier, owner.data) and not is_played_elsewhere(earlier, objects, owner)]
        if same and again == 'BOTH':
            action.name = prefix + re.sub(r'\.\d{3}$', '', action.name)      # removes the number that Blender added
        for earlier in same:
            count += 1
            name = earlier.name
            if again == 'BOTH':
                continue
            if again == 'NLA':
                push_down(owner, earlier)
                earlier.name = name + '_earlier'
            else:
                ways = [(a[FROM].get('options', '').replace('--no-mesh', '').split(), *(a[FROM].get(n) for n in ('rig', 'fps'))) for a in (earlier, action)]
                if ways[0] == ways[1] and differ(earlier, action):
                    edited.append(name)
                earlier.user_remap(action)
                actions.remove(earlier)
            action.name = name
    if edited:
        report.warn('Keys that differed from the file were replaced: %s. Undo brings them back. To keep such keys, set "Earlier import" to "Keep both".' % shortened(edited))
    if count:
        report.info({'UPDATE': 'Actions of earlier imports that were updated: %d', 'BOTH': 'Actions of earlier imports that stay beside the new ones: %d',
                     'NLA': 'Actions of earlier imports that are on muted NLA tracks now: %d'}[again] % count)


def push_down(owner, action):
    """Moves an action to a separate muted track. The object no longer plays it."""
    data = owner.animation_data or owner.animation_data_create()
    if data.action == action:
        data.action = None
    track = data.nla_tracks.new()
    track.name, track.mute = action.name, True
    track.strips.new(action.name, 0, action)
