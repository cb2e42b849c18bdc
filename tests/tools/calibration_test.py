#!/usr/bin/env python3
"""How often `bind --suggest` is right at each stated confidence, on generated rigs whose joints are known.

    REANIMA=build/release/reanima calibration_test.py [--rigs N] [--seed N] [--wrong]     a table; --wrong lists wrong lines
    REANIMA_LONG=1 REANIMA=... calibration_test.py                                       10,000 rigs

The rigs are drawn at random: families of data/rigs/rig_set.py under their own names; names of conventions that no
family has, put together from words; words that state only arm or leg and the side, as in "arm_joint_L__3_", or belong
to another joint of the limb; numbers as names, with and without stated roles; and rigs that are not humanoid.
Proportions, rest poses, axes, units, prefixes, twist bones, hair, props and the order of joints vary, too. Each is
bound to one of nine inputs: two captures in three games' formats, and the samples.
"""
import concurrent.futures, json, os, random, sys, unittest

from support import Case, DATA, SANITIZED, SOURCE, read, run
import rig_set as R

LONG = '--long' in sys.argv or os.environ.get('REANIMA_LONG') == '1'
RIGS = int(sys.argv[sys.argv.index('--rigs') + 1]) if '--rigs' in sys.argv else 10000 if LONG else 16 if SANITIZED else 40
SEED = int(sys.argv[sys.argv.index('--seed') + 1]) if '--seed' in sys.argv else 1
BANDS = (0.95, 0.9, 0.8, 0.5, 0)
TORSO = set(R.SPINE) | {'neck'}
FIGURES = sorted(R.PROPORTIONS)

# ------------------------------------------------------------------------------------------------ who is who in the inputs
CMU = {'Skeleton_Root': 'ground', 'Hips': 'hips', 'LowerBack': 'spine', 'Spine': 'chest', 'Spine1': 'upperChest', 'Neck': 'neck', 'Neck1': 'neck', 'Head': 'head', 'Head_end': 'end'}
HERO = {'Skeleton_Root': 'ground', 'root': 'hips', 'hips': 'hips', 'spine': 'spine', 'chest': 'chest', 'neck': 'neck', 'head': 'head', 'head_end': 'end', 'sword': 'weapon'}
for _W, _w, _c in (('Left', 'left', 'L'), ('Right', 'right', 'R')):
    CMU.update({_W + 'UpLeg': _w + 'UpperLeg', _W + 'Leg': _w + 'LowerLeg', _W + 'Foot': _w + 'Foot', _W + 'ToeBase': _w + 'Toes', _W + 'ToeBase_end': 'end',
                _W + 'Shoulder': _w + 'Shoulder', _W + 'Arm': _w + 'UpperArm', _W + 'ForeArm': _w + 'LowerArm', _W + 'Hand': _w + 'Hand', _W + 'FingerBase': _w + 'Hand',
                _c + 'Fingers': _w + 'MiddleProximal', _c + 'Fingers_end': 'end', _c + 'Thumb': _w + 'ThumbMetacarpal', _c + 'Thumb_end': 'end'})
    _e = '_' + _c.lower()
    HERO.update({'collar' + _e: _w + 'Shoulder', 'upper_arm' + _e: _w + 'UpperArm', 'forearm' + _e: _w + 'LowerArm', 'hand' + _e: _w + 'Hand', 'thigh' + _e: _w + 'UpperLeg',
                 'shin' + _e: _w + 'LowerLeg', 'foot' + _e: _w + 'Foot', 'hand' + _e + '_end': 'end', 'foot' + _e + '_end': 'end'})


def captures():
    """-> [(input, skeleton, {joint: role})]"""
    for capture, letters in (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb')):
        for game, name, skeleton in (('ff7', letters + 'da', letters + 'aa'), ('ff9', letters + '_0.ff9anim', letters + '.ff9model'), ('metroid', letters + '_0.ANIM', letters + '.CINF')):
            folder = os.path.join(DATA, 'motion', capture, game)
            expected = json.loads(read(os.path.join(folder, 'expected.json')))
            roles, seen = {}, set()
            for joint, called in zip(expected['joints'], expected.get('capture_joints') or expected['joints']):
                role = CMU.get(called, 'helper')
                roles[joint] = 'helper' if called in seen and role in R.LIMBS else role     # a further bone of the same joint
                seen.add(called)
            yield os.path.join(folder, name), os.path.join(folder, skeleton), roles


def heroes():
    folder = os.path.join(SOURCE, 'samples')
    for game, name, skeleton in (('ff7', 'hrda', 'hraa'), ('ff9', 'hero_walk.ff9anim', 'hero.ff9model'), ('metroid', 'hero_walk.ANIM', 'hero.CINF')):
        roles = {k: v for k, v in HERO.items() if k not in ('root', 'sword')}
        if game != 'metroid':
            rows = [line.split(',') for line in read(os.path.join(folder, game, 'hero.names.csv')).decode().splitlines() if line.startswith('joint,')]
            roles = {'bone%03d' % int(x[1]) if x[1].isdigit() else x[1]: HERO.get(x[2], 'helper') for x in rows}
            if game == 'ff7':
                roles['root'] = 'hips'
        yield os.path.join(folder, game, name), os.path.join(folder, game, skeleton), roles


# ------------------------------------------------------------------------------------------------ names of no family
ARMS = (('clavicle', 'upper arm', 'lower arm', 'hand'), ('shoulder', 'arm', 'fore arm', 'hand'), ('collar', 'shoulder', 'elbow', 'wrist'), ('clavicle', 'shoulder', 'elbow', 'wrist'),
        ('scapula', 'bicep', 'forearm', 'palm'), ('clav', 'arm up', 'arm low', 'hand'), ('shoulder', 'up arm', 'lo arm', 'hand'), ('collar bone', 'upper arm', 'elbow', 'wrist'),
        ('shoulder', 'upper arm', 'forearm', 'hand'), ('clavicle', 'humerus', 'radius', 'wrist'))
LEGS = (('thigh', 'calf', 'foot', 'toe'), ('up leg', 'leg', 'foot', 'toe base'), ('hip', 'knee', 'ankle', 'toe'), ('thigh', 'shin', 'foot', 'ball'), ('upper leg', 'lower leg', 'foot', 'toes'),
        ('femur', 'tibia', 'ankle', 'ball'), ('leg', 'knee', 'foot', 'toe'), ('leg up', 'leg low', 'ankle', 'toes'))
SPINES = (('spine', 'chest', 'upper chest'), ('spine 1', 'spine 2', 'spine 3'), ('abdomen', 'chest', 'chest upper'), ('waist', 'spine', 'chest'), ('torso 1', 'torso 2', 'torso 3'), ('back', 'spine', 'ribcage'))
# Each joint's name states its limb and side only.
VAGUE_ARMS = (('arm', 'arm', 'arm', 'arm'), ('collar', 'arm', 'arm', 'arm'), ('arm', 'arm', 'arm', 'hand'), ('shoulder', 'arm joint', 'arm joint', 'arm joint'), ('arm', 'elbow', 'wrist', 'hand'))
VAGUE_LEGS = (('leg', 'leg', 'leg', 'leg'), ('leg joint', 'leg joint', 'leg joint', 'leg joint'), ('calf', 'shin', 'foot', 'toe'), ('leg', 'leg', 'foot', 'foot'), ('knee', 'ankle', 'foot', 'toe'))
VAGUE_SPINES = (('torso', 'torso', 'torso'), ('body', 'body', 'body'), ('torso joint', 'torso joint', 'torso joint'))
FINGERS = {'Thumb': 'thumb', 'Index': 'index', 'Middle': 'middle', 'Ring': 'ring', 'Little': 'pinky'}
SEGMENTS = {'Metacarpal': 1, 'Proximal': 1, 'Intermediate': 2, 'Distal': 3}


def speller(rng):
    """-> (words, side) -> a name in one style"""
    side = rng.choice((('L', 'R'), ('l', 'r'), ('Left', 'Right'), ('left', 'right'), ('Lft', 'Rgt')))
    before, glue, case = rng.random() < .5, rng.choice('_. '), rng.choice(('lower', 'camel', 'title', 'upper'))
    front = rng.choice(('', '', 'jnt', 'b', 'bind', 'hero', 'sk', 'bn'))

    def name(words, which):
        words = words.split()
        if case == 'camel':
            text = words[0] + ''.join(w.capitalize() for w in words[1:])
        elif case == 'title':
            text = ''.join(w.capitalize() for w in words)
        else:
            text = glue.join(w.upper() if case == 'upper' else w for w in words)
        parts = [text] if which is None else [side[which], text] if before else [text, side[which]]
        return glue.join(([front] if front else []) + parts)
    return name


def other_names(truth, rng, arms, legs, spines):
    """-> {joint: name} in a convention that is not in any family"""
    name, arms, legs, spines = speller(rng), rng.choice(arms), rng.choice(legs), rng.choice(spines)
    fixed = {'hips': rng.choice(('hips', 'pelvis', 'cog')), 'neck': 'neck', 'head': rng.choice(('head', 'skull')), 'ground': rng.choice(('root', 'world', 'reference', 'main')),
             'jaw': 'jaw', **dict(zip(R.SPINE, spines))}
    for part, words in zip(('Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes'), arms + legs):
        fixed[part] = words
    names, taken = {}, set()
    for joint, role in truth['joints'].items():
        which = 0 if role.startswith('left') else 1 if role.startswith('right') else None
        part = role[4 if which == 0 else 5:] if which is not None else role
        finger = next((f for f in FINGERS if part.startswith(f)), None)
        if finger:
            segment = SEGMENTS.get(part[len(finger):], 1) + (finger == 'Thumb' and part != 'ThumbMetacarpal' and part != 'ThumbDistal')
            words = '%s %d' % (FINGERS[finger], segment)
        else:
            words = fixed.get(part, {'hair': 'hair', 'twist': 'twist', 'ik': 'ik', 'end': 'end', 'weapon': 'weapon', 'helper': 'helper'}.get(part, part.lower()))
        text, number = name(words, which), 2
        while text in taken:
            text, number = name('%s %d' % (words, number), which), number + 1
        taken.add(text)
        names[joint] = text
    return names


# ------------------------------------------------------------------------------------------------ rigs
def drawn(seed):
    """-> kind, and the rig that rig_set.py builds"""
    rng = random.Random(seed)
    kind = rng.choices(('family', 'words', 'vague words', 'numbers', 'numbers, stated roles', 'no humanoid'), (50, 18, 9, 8, 5, 10))[0]
    if kind == 'no humanoid':
        return kind, R.build(rng.choice(list(R.OTHERS)), '-', {'seed': seed, 'axes': rng.choice(('identity', 'random')), **({'rename': seed} if rng.random() < .3 else {})})
    proportions = 'drawn %d' % seed                                            # threads build at the same time
    R.PROPORTIONS[proportions] = tuple(v * rng.uniform(.94, 1.06) for v in R.PROPORTIONS[rng.choice(FIGURES)])
    options = {'pose': rng.choice('TTAAM'), 'armature': rng.choice(('none', 'plain', 'fbx', 'zup', 'cm')), 'seed': seed}
    if rng.random() < .4:
        options['axes'] = rng.choice(('identity', 'y', 'x', 'ue', 'random'))
    if rng.random() < .25:
        options['twist'] = 'none'
    if rng.random() < .25:
        options['extras'] = 'no'
    if rng.random() < .4:
        options['shuffle'] = seed
    if rng.random() < .1:
        options['origin'] = 'hips'
    if kind == 'family':
        if rng.random() < .3:
            options['prefix'] = rng.choice(('hero_', 'Character1_', 'npc:', 'Armature|', 'GEN_', 'rig:'))
        if rng.random() < .2:
            options['sanitize'] = '_'
    elif not kind.endswith('words'):
        options['rename'] = seed
        if kind != 'numbers':
            options['vrm'] = rng.choice((0, 1))
    built = R.build(rng.choice(list(R.FAMILIES)), proportions, options)
    del R.PROPORTIONS[proportions]
    if kind.endswith('words'):
        names = other_names(built['truth'], rng, *((ARMS, LEGS, SPINES) if kind == 'words' else (VAGUE_ARMS, VAGUE_LEGS, VAGUE_SPINES)))
        for node in built['nodes']:
            node['name'] = names.get(node.get('name'), node.get('name'))
        truth = built['truth']
        truth['joints'] = {names[j]: role for j, role in truth['joints'].items()}
        truth['accept'] = {role: [names[j] for j in joints] for role, joints in truth['accept'].items()}
    return kind, built


def roles_of(accept, roles, joint):
    return {r for r, names in accept.items() if joint in names} | {roles.get(joint, 'ground' if joint == 'Armature' else 'helper')}


def is_right(source, truth, line):
    a, b = roles_of({}, source, line['source']), roles_of(truth['accept'], truth['joints'], line['target'])
    finger = lambda roles: {(r[:4], 'Thumb' in r) for r in roles if any(f in r for f in FINGERS)}
    return bool(a & b - {'twist', 'ik'} or a & TORSO and b & TORSO or finger(a) & finger(b) or 'end' in a and ('end' in b or finger(b)))


def measured(folder, seed, inputs):
    """-> kind, [(confidence, right, text)]"""
    kind, built = drawn(seed)
    path = os.path.join(folder, '%d.glb' % seed)
    R.write(path, built)
    pack, skeleton, roles = inputs[seed % len(inputs)]
    mapping = path[:-3] + 'json'
    p = run('bind', pack, '--source-skeleton', skeleton, '-s', path, '--suggest', '-q', '-o', mapping)
    assert p.returncode in (0, 1), p.err
    lines = json.loads(read(mapping))['joints'] if p.returncode == 0 else []
    found = [(line['confidence'], kind != 'no humanoid' and is_right(roles, built['truth'], line),
              '%d %s %s: %s <- %s (%s) %s' % (seed, built['truth']['family'], os.path.basename(pack), line['target'], line['source'], built['truth']['joints'].get(line['target']), line['reason']))
             for line in lines if line['source'] and line['target']]
    for name in (path, mapping, path[:-4] + '.truth.json', path[:-3] + 'png'):
        if os.path.exists(name):
            os.remove(name)
    return kind, found


class Calibration(Case):
    def test_sure_lines_are_right(self):
        inputs = [*captures(), *heroes()]
        kinds, lines, wrong = {}, [], []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for kind, found in pool.map(lambda i: measured(self.folder, SEED * 1000000 + i, inputs), range(RIGS)):
                sure = [f for f in found if f[0] >= 0.8]
                rigs, used, all_sure, bad = kinds.get(kind, (0, 0, 0, 0))
                kinds[kind] = (rigs + 1, used + bool(sure), all_sure + len(sure), bad + sum(not f[1] for f in sure))
                lines += found
                wrong += [f for f in found if not f[1] and f[0] >= 0.8]
        print('\n%-24s %6s %14s %12s %6s' % ('rigs', '', 'with sure lines', 'sure lines', 'wrong'))
        for kind, row in sorted(kinds.items()):
            print('%-24s %6d %14d %12d %6d' % (kind, *row))
        print('\n%-12s %8s %8s %8s' % ('confidence', 'lines', 'wrong', 'right'))
        for i, low in enumerate(BANDS):
            band = [right for confidence, right, _ in lines if confidence >= low and (i == 0 or confidence < BANDS[i - 1])]
            print('%-12s %8d %8d %8s' % ('%.2f and more' % low if i == 0 else '%.2f..' % low, len(band), band.count(False), '%.2f %%' % (100 * band.count(True) / len(band)) if band else '-'))
        if '--wrong' in sys.argv:
            for confidence, _, text in wrong:
                print('%.2f %s' % (confidence, text))
        sure = [f for f in lines if f[0] >= 0.8]
        self.assertGreater(len(sure), 10 * RIGS)
        self.assertLessEqual(len(wrong), len(sure) / 100)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
