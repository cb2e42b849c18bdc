#!/usr/bin/env python3
"""Writes humanoid rigs of every common family as .glb, and beside each one the truth: which joint has which role.

    python3 rig_set.py OUT [SET.json]        the rigs of a list (default: the set `small` below)
    python3 rig_set.py OUT FAMILY PROPORTIONS [key=value ...]    one rig
    python3 rig_set.py --list                families, proportions, options

Python 3 standard library only (an optional numpy would change nothing); the same bytes every time.

One figure, three (and more) sets of proportions, one joint list per family. Positions are in metres, +Y up, front +Z,
the figure's left +X, before the option `armature` changes units and axes.

Options of a rig
  pose      T (arms along X), A (arms 45 degrees down, legs 4 degrees apart), M (A with elbows bent by 40 degrees to the front, as MakeHuman's)
  armature  none, plain (a node above the joints), fbx (that node turns by -90 degrees about X and scales by 0.01; the joints below
            are in centimetres, Z up), zup (the same turn without the scale; where the rig has a ground bone, that bone carries the turn),
            cm (the whole file in centimetres, no node that says so)
  axes      the family's own if not given; identity, y, x, ue, random
  twist     own (default), none
  extras    yes (default), no: ik, corrective, helper, prop, hair and end bones
  shuffle   a number: nodes and skin in random order
  prefix    put before every name; replace: a=>b, in every name; sanitize: a character that replaces space . : -
  rename    a number: names are replaced by meaningless ones (for rigs that state their roles in an extension)
  vrm       0, 1: the extension VRM or VRMC_vrm (a VRM 0 figure looks to -Z)
  flat      yes: limbs hang below the first joint, as deform-only exports of Rigify give
  origin    hips: the origin is in the hips, not on the ground
  mesh      yes: a skinned mesh, one prism per bone
"""
import json, math, os, random, struct, sys
sys.dont_write_bytecode = True

# ------------------------------------------------------------------------------------------------ vectors, quaternions (x, y, z, w)
def add(a, b): return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
def sub(a, b): return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
def mul(a, s): return [a[0] * s, a[1] * s, a[2] * s]
def dot(a, b): return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def norm(a): return math.sqrt(dot(a, a))
def unit(a):
    n = norm(a)
    return [a[0] / n, a[1] / n, a[2] / n] if n > 1e-12 else [0.0, 1.0, 0.0]
def mix(a, b, t): return [a[i] + (b[i] - a[i]) * t for i in range(3)]
def qmul(a, b):
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]
def qinv(q): return [-q[0], -q[1], -q[2], q[3]]
def qrot(q, v):
    t = mul(cross(q[:3], v), 2.0)
    return add(add(v, mul(t, q[3])), cross(q[:3], t))
def qaxis(axis, degrees):
    s = math.sin(math.radians(degrees) / 2)
    return [axis[0] * s, axis[1] * s, axis[2] * s, math.cos(math.radians(degrees) / 2)]
def qangle(a, b):
    """degrees between two rotations"""
    d = qmul(qinv(a), b)
    return math.degrees(2 * math.atan2(math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2), abs(d[3])))
def angle(a, b):
    """degrees between two directions"""
    return math.degrees(math.atan2(norm(cross(a, b)), dot(a, b)))
def from_axes(x, y, z):
    """columns -> quaternion"""
    m = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
    t = m[0][0] + m[1][1] + m[2][2]
    if t > 0:
        s = math.sqrt(t + 1) * 2
        q = [(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s, s / 4]
    else:
        i = max(range(3), key=lambda k: m[k][k])
        j, k = (i + 1) % 3, (i + 2) % 3
        s = math.sqrt(max(1e-18, m[i][i] - m[j][j] - m[k][k] + 1)) * 2
        q = [0.0, 0.0, 0.0, 0.0]
        q[i], q[3] = s / 4, (m[k][j] - m[j][k]) / s
        q[j], q[k] = (m[j][i] + m[i][j]) / s, (m[k][i] + m[i][k]) / s
    n = math.sqrt(sum(c * c for c in q))
    return [c / n for c in q]


# ------------------------------------------------------------------------------------------------ the figure
# height; hip joint height, head height, arm length, shoulder width as parts of the height (arm: of an average one)
PROPORTIONS = {
    'adult': (1.75, 0.520, 0.125, 1.00, 0.105),
    'child': (1.10, 0.450, 0.190, 0.92, 0.100),
    'giant': (2.60, 0.500, 0.085, 1.35, 0.130),
    'dwarf': (1.30, 0.390, 0.165, 1.05, 0.155),
    'lanky': (2.05, 0.570, 0.105, 1.10, 0.090),
    'chibi': (0.90, 0.330, 0.360, 0.80, 0.110),
}
FINGERS = ('thumb', 'index', 'middle', 'ring', 'little')


def body(proportions, pose):
    """-> points of the figure, keys 'hips', 'L.foot' ..."""
    H, leg, head, arm, wide = PROPORTIONS[proportions]
    P = {'ground': [0.0, 0.0, 0.0]}
    hip = leg * H
    P['hips'] = [0.0, hip + 0.022 * H, 0.0]
    P['head'] = [0.0, H - head * H * 0.93, 0.006 * H]
    P['top'] = [0.0, H, 0.008 * H]
    neck = min(0.050 * H, (P['head'][1] - P['hips'][1]) * 0.16)
    P['neck'] = [0.0, P['head'][1] - neck, -0.006 * H]
    P['eye.L'], P['eye.R'] = [0.017 * H, P['head'][1] + head * H * .45, .045 * H], [-0.017 * H, P['head'][1] + head * H * .45, .045 * H]
    P['jaw'] = [0.0, P['head'][1] + head * H * .15, .02 * H]
    for side, s in (('L', 1.0), ('R', -1.0)):
        p = {}
        p['upperLeg'] = [s * 0.052 * H, hip, 0.0]
        p['lowerLeg'] = [s * 0.055 * H, 0.048 * H + (hip - 0.048 * H) * 0.51, 0.006 * H]
        p['foot'] = [s * 0.057 * H, 0.048 * H, -0.012 * H]
        p['toes'] = [s * 0.061 * H, 0.011 * H, 0.065 * H]
        p['toeEnd'] = [s * 0.063 * H, 0.009 * H, 0.105 * H]
        p['heel'] = [s * 0.056 * H, 0.0, -0.035 * H]
        if pose in 'AM':
            q, c = qaxis([0, 0, 1], s * 4.0), p['upperLeg']
            for k in ('lowerLeg', 'foot', 'toes', 'toeEnd', 'heel'):
                p[k] = add(c, qrot(q, sub(p[k], c)))
        sh = [s * wide * H, P['neck'][1] - 0.022 * H, -0.008 * H]
        p['shoulder'] = [s * 0.014 * H, P['neck'][1] - 0.016 * H, 0.008 * H]
        p['upperArm'] = sh
        q = qaxis([0, 0, 1], -s * (45.0 if pose in 'AM' else 0.0))
        U, F = 0.160, 0.146

        def at(x, y, z):
            if pose == 'M' and x > U:                                 # about the elbow
                b, x1 = math.radians(40.0), x - U
                x, z = U + x1 * math.cos(b) - z * math.sin(b), x1 * math.sin(b) + z * math.cos(b)
            return add(sh, qrot(q, [s * x * arm * H, y * arm * H, z * arm * H]))
        p['lowerArm'], p['hand'] = at(U, 0, -0.004), at(U + F, 0, 0.0)
        for n, (x, z, step) in {'thumb': (.012, .016, .018), 'index': (.054, .016, .019), 'middle': (.056, .004, .021),
                                'ring': (.054, -.008, .019), 'little': (.049, -.018, .015)}.items():
            p[n + '0'] = at(U + F + .012, 0, z * .6)
            for i in range(1, 5):
                p[n + str(i)] = at(U + F + x + (i - 1) * step, -.004 if n == 'thumb' else 0.0, z + ((i - 1) * .010 if n == 'thumb' else 0.0))
        for k, v in p.items():
            P[side + '.' + k] = v
    if pose in 'AM':                                                  # legs apart: the feet stay on the ground
        drop = P['L.toes'][1] - 0.011 * H
        P = {k: (v if k == 'ground' else sub(v, [0, drop, 0])) for k, v in P.items()}
    return P


# ------------------------------------------------------------------------------------------------ a rig under construction
LIMBS = ['hips', 'head'] + [s + p for s in ('left', 'right') for p in ('Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes')]
SPINE = ('spine', 'chest', 'upperChest')
EXTRA = ('twist', 'ik', 'helper', 'weapon', 'end', 'hair')
PARTS = {'shoulder': 'Shoulder', 'upperArm': 'UpperArm', 'lowerArm': 'LowerArm', 'hand': 'Hand', 'upperLeg': 'UpperLeg', 'lowerLeg': 'LowerLeg', 'foot': 'Foot', 'toes': 'Toes'}
FINGER_ROLES = {'thumb': ('ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal')}
for _f in FINGERS[1:]:
    FINGER_ROLES[_f] = tuple(_f.capitalize() + x for x in ('Proximal', 'Intermediate', 'Distal'))


class Rig:
    def __init__(self, family, axes):
        self.family, self.axes, self.joints, self.index, self.accept = family, axes, [], {}, {}

    def add(self, name, parent, pos, role, aim=None):
        if name is None:
            return parent
        if name in self.index:
            raise ValueError(name)
        self.index[name] = len(self.joints)
        self.joints.append({'name': name, 'parent': parent, 'pos': list(pos), 'role': role, 'aim': aim})
        return name

    def also(self, role, *names):
        """other names that are as good for the role"""
        self.accept.setdefault(role, []).extend(n for n in names if n in self.index)


def humanoid(P, family, axes, spec, opt):
    """spec: ground, hips, pelvis, spine, neck, head, headEnd, S(part, side), F(finger, i, side), twist, clavicles, thighs"""
    r, get = Rig(family, axes), spec.get
    extras = opt.get('extras', 'yes') != 'no'
    parent = None
    for g in get('ground', []):
        parent = r.add(g, parent, P['ground'], 'ground')
    top = parent
    for name in get('above', []):                                     # at the hips, above them, moving everything (a centre of mass)
        parent = r.add(name, parent, P['hips'], 'hips' if name == get('hips') else 'helper')
    hips = r.add(spec['hips'], parent, P['hips'], 'hips') if spec['hips'] not in r.index else spec['hips']
    for name in get('above', []):
        r.also('hips', name)
    legs = r.add(get('pelvis'), hips, P['hips'], 'helper') if get('pelvis') else hips
    n, last = len(spec['spine']), hips
    roles = {1: ['spine'], 2: ['spine', 'chest'], 3: ['spine', 'chest', 'upperChest']}.get(n) or ['spine'] + ['chest'] * (n - 2) + ['upperChest']
    first = None
    for i, name in enumerate(spec['spine']):
        t = (0.10 + 0.68 * i / max(1, n - 1)) if n > 1 else 0.25
        pos = mix(P['hips'], P['neck'], t)
        pos[2] -= 0.010 * math.sin(math.pi * t)
        last = r.add(name, last, pos, roles[i])
        first = first or name
    neck, m = last, len(get('neck', []))
    for i, name in enumerate(get('neck', [])):
        neck = r.add(name, neck, mix(P['neck'], P['head'], i / max(1, m)), 'neck')
    head = r.add(spec['head'], neck, P['head'], 'head', aim=P['top'])
    if extras and get('headEnd'):
        r.add(spec['headEnd'], head, P['top'], 'end')
    chest = (spec['neck'][0] if get('clavicles') == 'neck' else last)
    thighs = first if get('thighs') == 'spine' else legs
    for side, word in (('L', 'left'), ('R', 'right')):
        p = lambda k: P[side + '.' + k]
        S = lambda part: spec['S'](part, side)

        def limb(part, up, to):
            """a joint of a limb with its twist bones -> (the joint, the parent for the joint at its end)"""
            name = S(part)
            if name is None:
                return None, up
            r.add(name, up, p(part), word + PARTS[part], aim=p(to))
            end = name
            mode, names = get('twist', {}).get(part, (None, ()))
            if opt.get('twist', 'own') == 'none':
                names = ()
            k = len(names)
            for i, t in enumerate(names):
                t = t(side) if callable(t) else t.replace('@', side).replace('%', side.lower())
                if mode == 'chain':
                    end = r.add(t, end, mix(p(part), p(to), (i + 1.0) / (k + 1)), 'twist', aim=p(to))
                elif mode == 'start':                                 # the first at the joint itself, the second below it
                    r.add(t, name if i == 0 else last_twist, mix(p(part), p(to), 0.5 * i), 'twist', aim=p(to))
                    last_twist = t
                else:
                    r.add(t, name, mix(p(part), p(to), (i + 0.5) / k if k > 1 else 0.5), 'twist', aim=p(to))
            return name, end
        up = chest
        for extra in get('clavicle2', []):                            # a second collar bone, between clavicle and upper arm or above it
            up = r.add(extra.replace('@', side).replace('%', side.lower()), up, mix(p('shoulder'), p('upperArm'), 0.0), word + 'Shoulder', aim=p('upperArm'))
        clav, e = limb('shoulder', up, 'upperArm')
        if get('clavicle2'):
            r.also(word + 'Shoulder', up)
        for extra in get('beforeArm', []) if extras else []:
            e = r.add(extra.replace('@', side), e, p('upperArm'), 'helper')
        ua, e = limb('upperArm', e, 'lowerArm')
        la, e = limb('lowerArm', e, 'hand')
        hand, _ = limb('hand', e, 'middle1')
        for f in FINGERS:
            up = hand
            if extras and get('M') and f != 'thumb':
                up = r.add(spec['M'](f, side), up, p(f + '0'), 'helper', aim=p(f + '1'))
            for i in (1, 2, 3, 4):
                name = get('F')(f, i, side) if get('F') else None
                if name is None or (i == 4 and not extras):
                    break
                up = r.add(name, up, p(f + str(i)), 'end' if i == 4 else word + FINGER_ROLES[f][i - 1])
        up = thighs
        for extra in get('beforeLeg', []):
            up = r.add(extra.replace('@', side).replace('%', side.lower()), up, mix(P['hips'], p('upperLeg'), 0.35), 'helper', aim=p('upperLeg'))
        ul, e = limb('upperLeg', up, 'lowerLeg')
        ll, e = limb('lowerLeg', e, 'foot')
        foot, e = limb('foot', e, 'toes')
        for extra in get('beforeToes', []):
            e = r.add(extra.replace('@', side).replace('%', side.lower()), e, mix(p('foot'), p('toes'), 0.6), 'helper', aim=p('toes'))
        toes, _ = limb('toes', e, 'toeEnd')
        if extras and toes and get('toeEnd'):
            r.add(get('toeEnd').replace('@', side), toes, p('toeEnd'), 'end')
    if extras and get('extra'):
        spec['extra'](r, P, top)
    return r


def lr(fmt, left='Left', right='Right'):
    return lambda side: fmt.replace('@', left if side == 'L' else right)


def table(d, left='Left', right='Right'):
    return lambda part, side: d[part].replace('@', left if side == 'L' else right) if d.get(part) else None


# ------------------------------------------------------------------------------------------------ families
HIK = {'shoulder': '@Shoulder', 'upperArm': '@Arm', 'lowerArm': '@ForeArm', 'hand': '@Hand', 'upperLeg': '@UpLeg', 'lowerLeg': '@Leg', 'foot': '@Foot', 'toes': '@ToeBase'}
WORD = {'thumb': 'Thumb', 'index': 'Index', 'middle': 'Middle', 'ring': 'Ring', 'little': 'Pinky'}
side_word = lambda s: 'Left' if s == 'L' else 'Right'


def hik_finger(prefix=''):
    return lambda f, i, s: prefix + side_word(s) + 'Hand' + WORD[f] + str(i)


def mixamo(P, o):
    m = 'mixamorig:'

    def extra(r, P, top):
        r.add(m + 'RightHandProp', m + 'RightHand', P['R.middle1'], 'weapon')
    r = humanoid(P, 'mixamo', 'y', dict(hips=m + 'Hips', spine=[m + 'Spine', m + 'Spine1', m + 'Spine2'], neck=[m + 'Neck'], head=m + 'Head', headEnd=m + 'HeadTop_End',
                                        S=table({k: m + v for k, v in HIK.items()}), F=hik_finger(m), extra=extra if o.get('prop') else None), o)
    return _with_toe_ends(r, P, o, m)


def _with_toe_ends(r, P, o, m=''):
    if o.get('extras', 'yes') != 'no':
        for s in 'LR':
            r.add(m + side_word(s) + 'Toe_End', m + side_word(s) + 'ToeBase', P[s + '.toeEnd'], 'end')
    return r


def readyplayer(P, o):
    return _with_toe_ends(humanoid(P, 'readyplayer', 'y', dict(hips='Hips', spine=['Spine', 'Spine1', 'Spine2'], neck=['Neck'], head='Head', headEnd='HeadTop_End', S=table(HIK), F=hik_finger()), o), P, o)


def hik(P, o):
    """MotionBuilder: a reference node on the ground, roll bones in the chain"""
    return humanoid(P, 'hik', 'x', dict(ground=['Reference'], hips='Hips', spine=['Spine', 'Spine1', 'Spine2', 'Spine3'], neck=['Neck', 'Neck1'], head='Head', headEnd='HeadEnd', S=table(HIK), F=hik_finger(),
                                        twist={'upperArm': ('chain', [lambda s: side_word(s) + 'ArmRoll']), 'lowerArm': ('chain', [lambda s: side_word(s) + 'ForeArmRoll']),
                                               'upperLeg': ('chain', [lambda s: side_word(s) + 'UpLegRoll']), 'lowerLeg': ('chain', [lambda s: side_word(s) + 'LegRoll'])}), o)


UE = {'shoulder': 'clavicle_@', 'upperArm': 'upperarm_@', 'lowerArm': 'lowerarm_@', 'hand': 'hand_@', 'upperLeg': 'thigh_@', 'lowerLeg': 'calf_@', 'foot': 'foot_@', 'toes': 'ball_@'}
UE_FINGER = {'thumb': 'thumb', 'index': 'index', 'middle': 'middle', 'ring': 'ring', 'little': 'pinky'}


def ue_ik(r, P, top):
    a = r.add('ik_foot_root', top, P['ground'], 'ik')
    for s in 'LR':
        r.add('ik_foot_' + s.lower(), a, P[s + '.foot'], 'ik')
    a = r.add('ik_hand_root', top, P['ground'], 'ik')
    a = r.add('ik_hand_gun', a, P['R.hand'], 'ik')
    for s in 'LR':
        r.add('ik_hand_' + s.lower(), a, P[s + '.hand'], 'ik')


def ue_twist(*n):
    f = lambda part: [lambda s, k=k: '%s_twist_0%d_%s' % (part, k, s.lower()) for k in n]
    return {'upperArm': ('beside', f('upperarm')), 'lowerArm': ('beside', f('lowerarm')), 'upperLeg': ('beside', f('thigh')), 'lowerLeg': ('beside', f('calf'))}


def ue4(P, o):
    def extra(r, P, top):
        ue_ik(r, P, top)
    return humanoid(P, 'ue4', 'ue', dict(ground=['root'], hips='pelvis', spine=['spine_01', 'spine_02', 'spine_03'], neck=['neck_01'], head='head', S=table(UE, 'l', 'r'), twist=ue_twist(1),
                                         F=lambda f, i, s: '%s_0%d_%s' % (UE_FINGER[f], i, s.lower()) if i < 4 else None, extra=extra), o)


def ue5(P, o):
    def extra(r, P, top):
        ue_ik(r, P, top)
        for n in ('interaction', 'center_of_mass'):
            r.add(n, top, P['ground'], 'helper')
        for s in 'LR':
            c = s.lower()
            for part, joint, kids in (('upperarm', 'upperArm', ('bck', 'fwd', 'in', 'out')), ('lowerarm', 'lowerArm', ('out', 'in', 'fwd', 'bck')), ('thigh', 'upperLeg', ('fwd', 'bck', 'out', 'in', 'bck_lwr', 'fwd_lwr')), ('calf', 'lowerLeg', ('kneeBack', 'knee'))):
                root = r.add('%s_correctiveRoot_%s' % (part, c), '%s_%s' % (part, c), P[s + '.' + joint], 'helper')
                for i, k in enumerate(kids):
                    r.add('%s_%s_%s' % (part, k, c), root, add(P[s + '.' + joint], [0.03 * math.cos(i), 0.02 * math.sin(i), 0.03 * math.sin(i)]), 'helper')
            for n in ('clavicle_out', 'clavicle_scap'):
                r.add('%s_%s' % (n, c), 'clavicle_' + c, mix(P[s + '.shoulder'], P[s + '.upperArm'], 0.8), 'helper')
            r.add('clavicle_pec_' + c, 'spine_05', add(P[s + '.upperArm'], [0, -.05, .06]), 'helper')
            for n in ('wrist_inner', 'wrist_outer'):
                r.add('%s_%s' % (n, c), 'hand_' + c, P[s + '.hand'], 'helper')
            for n in ('ankle_bck', 'ankle_fwd'):
                r.add('%s_%s' % (n, c), 'foot_' + c, P[s + '.foot'], 'helper')
            r.add('weapon_' + c, 'hand_' + c, P[s + '.middle1'], 'weapon')
    return humanoid(P, 'ue5', 'ue', dict(ground=['root'], hips='pelvis', spine=['spine_0%d' % i for i in range(1, 6)], neck=['neck_01', 'neck_02'], head='head', S=table(UE, 'l', 'r'), twist=ue_twist(1, 2),
                                         F=lambda f, i, s: '%s_0%d_%s' % (UE_FINGER[f], i, s.lower()) if i < 4 else None, M=lambda f, s: '%s_metacarpal_%s' % (UE_FINGER[f], s.lower()), extra=extra), o)


def mpfb_game(P, o):
    return humanoid(P, 'mpfb_game', 'y', dict(ground=['Root'], hips='pelvis', spine=['spine_01', 'spine_02', 'spine_03'], neck=['neck_01'], head='head', S=table(UE, 'l', 'r'),
                                              F=lambda f, i, s: '%s_0%d_%s' % (UE_FINGER[f], i, s.lower()) if i < 4 else None), o)


def makehuman(P, o):
    """MakeHuman / MPFB default: two bones a segment, in the chain; `root` is in the hips"""
    T = {'shoulder': 'shoulder01.@', 'upperArm': 'upperarm01.@', 'lowerArm': 'lowerarm01.@', 'hand': 'wrist.@', 'upperLeg': 'upperleg01.@', 'lowerLeg': 'lowerleg01.@', 'foot': 'foot.@', 'toes': 'toe1-1.@'}
    no = {f: i + 1 for i, f in enumerate(FINGERS)}

    def extra(r, P, top):
        for s in 'LR':
            for k in (2, 3, 4, 5):
                r.add('toe%d-1.%s' % (k, s), 'foot.' + s, add(P[s + '.toes'], [(-1 if s == 'R' else 1) * .012 * (k - 2), 0, -.006 * k]), 'helper')
                r.also(('left' if s == 'L' else 'right') + 'Toes', 'toe%d-1.%s' % (k, s))
            r.add('breast.' + s, 'spine02', add(P[s + '.upperArm'], [0, -.1, .1]), 'helper')
            r.add('eye.' + s, 'head', P['eye.' + s], 'helper')
        r.add('jaw', 'head', P['jaw'], 'helper')
    return humanoid(P, 'makehuman', 'y', dict(hips='root', spine=['spine05', 'spine04', 'spine03', 'spine02', 'spine01'], neck=['neck01', 'neck02', 'neck03'], head='head', S=table(T, 'L', 'R'),
                                              clavicle2=['clavicle.@'], beforeLeg=['pelvis.@'], F=lambda f, i, s: 'finger%d-%d.%s' % (no[f], i, s) if i < 4 else None,
                                              M=lambda f, s: 'metacarpal%d.%s' % (no[f] - 1, s), extra=extra,
                                              twist={'upperArm': ('chain', ['upperarm02.@']), 'lowerArm': ('chain', ['lowerarm02.@']), 'upperLeg': ('chain', ['upperleg02.@']), 'lowerLeg': ('chain', ['lowerleg02.@'])}), o)


VROID = {'shoulder': 'J_Bip_@_Shoulder', 'upperArm': 'J_Bip_@_UpperArm', 'lowerArm': 'J_Bip_@_LowerArm', 'hand': 'J_Bip_@_Hand', 'upperLeg': 'J_Bip_@_UpperLeg', 'lowerLeg': 'J_Bip_@_LowerLeg', 'foot': 'J_Bip_@_Foot', 'toes': 'J_Bip_@_ToeBase'}


def vroid(P, o):
    c = 'J_Bip_C_'

    def extra(r, P, top):
        for s in 'LR':
            r.add('J_Adj_%s_FaceEye' % s, c + 'Head', P['eye.' + s], 'helper')
            b = r.add('J_Sec_%s_Bust1' % s, c + 'UpperChest', add(P[s + '.upperArm'], [0, -.08, .08]), 'hair')
            r.add('J_Sec_%s_Bust2' % s, b, add(P[s + '.upperArm'], [0, -.09, .13]), 'hair')
        for h in range(1, 9):
            a, up = h * math.pi / 4, c + 'Head'
            for k in range(1, 4):
                up = r.add('J_Sec_Hair%d_%02d' % (k, h), up, add(P['top'], [math.sin(a) * .08, -.03 - .08 * k, math.cos(a) * .08 - .02]), 'hair')
    ground = ['Root', 'Global', 'Position'] if o.get('old') else ['Root']
    return humanoid(P, 'vroid', 'identity', dict(ground=ground, hips=c + 'Hips', spine=[c + 'Spine', c + 'Chest', c + 'UpperChest'], neck=[c + 'Neck'], head=c + 'Head', S=table(VROID, 'L', 'R'),
                                                 F=lambda f, i, s: 'J_Bip_%s_%s%d' % (s, f.capitalize(), i) if i < 4 else None, extra=extra), o)


RIGIFY = {'shoulder': 'shoulder.@', 'upperArm': 'upper_arm.@', 'lowerArm': 'forearm.@', 'hand': 'hand.@', 'upperLeg': 'thigh.@', 'lowerLeg': 'shin.@', 'foot': 'foot.@', 'toes': 'toe.@'}
RIGIFY_FINGER = {'thumb': 'thumb', 'index': 'f_index', 'middle': 'f_middle', 'ring': 'f_ring', 'little': 'f_pinky'}
PALM = {'index': 1, 'middle': 2, 'ring': 3, 'little': 4}


def rigify(P, o):
    """the deform bones of a generated rig: the second half of each segment is a bone of its own, in the chain"""
    d = 'DEF-'

    def extra(r, P, top):
        for s in 'LR':
            r.add('DEF-pelvis.' + s, 'DEF-spine', mix(P['hips'], P[s + '.upperLeg'], 0.2), 'helper', aim=P[s + '.upperLeg'])
            r.add('DEF-breast.' + s, 'DEF-spine.003', add(P[s + '.upperArm'], [0, -.1, .08]), 'helper')
    return humanoid(P, 'rigify', 'y', dict(ground=['root'], hips='DEF-spine', spine=['DEF-spine.001', 'DEF-spine.002', 'DEF-spine.003'], neck=['DEF-spine.004', 'DEF-spine.005'], head='DEF-spine.006',
                                           S=table({k: d + v for k, v in RIGIFY.items()}, 'L', 'R'), F=lambda f, i, s: 'DEF-%s.0%d.%s' % (RIGIFY_FINGER[f], i, s) if i < 4 else None,
                                           M=lambda f, s: 'DEF-palm.0%d.%s' % (PALM[f], s), extra=extra,
                                           twist={k: ('chain', [d + RIGIFY[k] + '.001']) for k in ('upperArm', 'lowerArm', 'upperLeg', 'lowerLeg')}), o)


def metarig(P, o):
    def extra(r, P, top):
        for s in 'LR':
            r.add('pelvis.' + s, 'spine', mix(P['hips'], P[s + '.upperLeg'], 0.2), 'helper', aim=P[s + '.upperLeg'])
            r.add('breast.' + s, 'spine.003', add(P[s + '.upperArm'], [0, -.1, .08]), 'helper')
            r.add('heel.02.' + s, 'foot.' + s, P[s + '.heel'], 'helper')
    return humanoid(P, 'metarig', 'y', dict(hips='spine', spine=['spine.001', 'spine.002', 'spine.003'], neck=['spine.004', 'spine.005'], head='spine.006', S=table(RIGIFY, 'L', 'R'),
                                            F=lambda f, i, s: '%s.0%d.%s' % (RIGIFY_FINGER[f], i, s) if i < 4 else None, M=lambda f, s: 'palm.0%d.%s' % (PALM[f], s), extra=extra), o)


UNITY = {'shoulder': '@Shoulder', 'upperArm': '@UpperArm', 'lowerArm': '@LowerArm', 'hand': '@Hand', 'upperLeg': '@UpperLeg', 'lowerLeg': '@LowerLeg', 'foot': '@Foot', 'toes': '@Toes'}


def unity(P, o):
    return humanoid(P, 'unity', 'y', dict(hips='Hips', spine=['Spine', 'Chest', 'UpperChest'], neck=['Neck'], head='Head', S=table(UNITY),
                                          F=lambda f, i, s: side_word(s) + f.capitalize() + (None, 'Proximal', 'Intermediate', 'Distal')[i] if i < 4 else None), o)


def godot(P, o):
    return humanoid(P, 'godot', 'y', dict(ground=['Root'], hips='Hips', spine=['Spine', 'Chest', 'UpperChest'], neck=['Neck'], head='Head', S=table(UNITY),
                                          F=lambda f, i, s: side_word(s) + FINGER_ROLES[f][i - 1] if i < 4 else None), o)


def biped(P, o, b=None, family='biped'):
    """3ds Max Biped: the joint without a part name is the centre of mass, in the hips"""
    b = b or o.get('bip', 'Bip01')
    j = lambda x: b + ' ' + x
    T = {k: j(v) for k, v in {'shoulder': '@ Clavicle', 'upperArm': '@ UpperArm', 'lowerArm': '@ Forearm', 'hand': '@ Hand', 'upperLeg': '@ Thigh', 'lowerLeg': '@ Calf', 'foot': '@ Foot', 'toes': '@ Toe0'}.items()}
    no = {f: i for i, f in enumerate(FINGERS)}

    def extra(r, P, top):
        r.add(j('Footsteps'), b, P['ground'], 'helper')
        r.add(j('Prop1'), j('R Hand'), P['R.middle1'], 'weapon')
        for s in 'LR':
            r.add(j(s + ' Toe0Nub'), j(s + ' Toe0'), P[s + '.toeEnd'], 'end')
    return humanoid(P, family, 'x', dict(above=[b], hips=j('Pelvis'), spine=[j('Spine'), j('Spine1'), j('Spine2')], neck=[j('Neck')], head=j('Head'), headEnd=j('HeadNub'), S=table(T, 'L', 'R'), extra=extra,
                                         clavicles=o.get('clavicles', 'neck'), thighs=o.get('thighs', 'pelvis'),
                                         F=lambda f, i, s: j('%s Finger%d%s' % (s, no[f], '' if i == 1 else str(i - 1))) if i < 4 else None,
                                         twist={'lowerArm': ('beside', [lambda s: j(s + ' ForeTwist'), lambda s: j(s + ' ForeTwist1')]), 'upperArm': ('beside', [lambda s: j(s + 'UpArmTwist')])}), o)


def valve(P, o):
    v = 'ValveBiped.Bip01_'
    T = {k: v + x for k, x in {'shoulder': '@_Clavicle', 'upperArm': '@_UpperArm', 'lowerArm': '@_Forearm', 'hand': '@_Hand', 'upperLeg': '@_Thigh', 'lowerLeg': '@_Calf', 'foot': '@_Foot', 'toes': '@_Toe0'}.items()}
    no = {f: i for i, f in enumerate(FINGERS)}

    def extra(r, P, top):
        r.add('ValveBiped.forward', v + 'Head1', add(P['head'], [0, .05, .1]), 'helper')
        for s in 'LR':
            r.add('ValveBiped.Anim_Attachment_%sH' % s, v + s + '_Hand', P[s + '.middle1'], 'weapon')
            for n, up, at in (('Trapezius', '_Clavicle', 'shoulder'), ('Bicep', '_UpperArm', 'upperArm'), ('Shoulder', '_UpperArm', 'upperArm'), ('Elbow', '_Forearm', 'lowerArm')):
                r.add(v + s + '_' + n, v + s + up, add(P[s + '.' + at], [.01, .01, 0]), 'helper')
    return humanoid(P, 'valve', 'x', dict(hips=v + 'Pelvis', spine=[v + 'Spine', v + 'Spine1', v + 'Spine2', v + 'Spine4'], neck=[v + 'Neck1'], head=v + 'Head1', S=table(T, 'L', 'R'), extra=extra,
                                          F=lambda f, i, s: v + '%s_Finger%d%s' % (s, no[f], '' if i == 1 else str(i - 1)) if i < 4 else None,
                                          twist={'lowerArm': ('beside', [lambda s: v + s + '_Ulna', lambda s: v + s + '_Wrist'])}), o)


def daz8(P, o):
    """Daz Genesis 3 and 8: bend and twist bones in the chain; the legs hang below `pelvis`, the spine beside it"""
    T = {'shoulder': '@Collar', 'upperArm': '@ShldrBend', 'lowerArm': '@ForearmBend', 'hand': '@Hand', 'upperLeg': '@ThighBend', 'lowerLeg': '@Shin', 'foot': '@Foot', 'toes': '@Toe'}
    W = {'thumb': 'Thumb', 'index': 'Index', 'middle': 'Mid', 'ring': 'Ring', 'little': 'Pinky'}

    def extra(r, P, top):
        for s in 'LR':
            c = s.lower()
            r.add(c + 'Pectoral', 'chestLower', add(P[s + '.upperArm'], [0, -.1, .08]), 'helper')
            r.add(c + 'Heel', c + 'Foot', P[s + '.heel'], 'helper')
            r.add(c + 'Eye', 'head', P['eye.' + s], 'helper')
            for k, n in enumerate(('BigToe', 'SmallToe1', 'SmallToe2', 'SmallToe3', 'SmallToe4')):
                r.add(c + n, c + 'Toe', add(P[s + '.toeEnd'], [.01 * k, 0, -.01]), 'helper')
        r.add('lowerJaw', 'head', P['jaw'], 'helper')
    return humanoid(P, 'daz8', 'y', dict(ground=[o.get('figure', 'Genesis8Female')], hips='hip', pelvis='pelvis', spine=['abdomenLower', 'abdomenUpper', 'chestLower', 'chestUpper'], neck=['neckLower', 'neckUpper'],
                                         head='head', S=table(T, 'l', 'r'), F=lambda f, i, s: s.lower() + W[f] + str(i) if i < 4 else None, M=lambda f, s: s.lower() + 'Carpal%d' % PALM[f], extra=extra, beforeToes=['%Metatarsals'],
                                         twist={'upperArm': ('chain', ['%ShldrTwist']), 'lowerArm': ('chain', ['%ForearmTwist']), 'upperLeg': ('chain', ['%ThighTwist'])}), o)


def daz9(P, o):
    T = {'shoulder': '@_shoulder', 'upperArm': '@_upperarm', 'lowerArm': '@_forearm', 'hand': '@_hand', 'upperLeg': '@_thigh', 'lowerLeg': '@_shin', 'foot': '@_foot', 'toes': '@_toes'}
    W = {'thumb': 'thumb', 'index': 'index', 'middle': 'mid', 'ring': 'ring', 'little': 'pinky'}

    def extra(r, P, top):
        for s in 'LR':
            c = s.lower()
            r.add(c + '_pectoral', 'spine4', add(P[s + '.upperArm'], [0, -.1, .08]), 'helper')
            r.add(c + '_metatarsal', c + '_foot', mix(P[s + '.foot'], P[s + '.toes'], .5), 'helper')
            r.add(c + '_hand_anchor', c + '_hand', P[s + '.middle1'], 'weapon')
    pair = lambda n: ('beside', ['%_' + n + 'twist1', '%_' + n + 'twist2'])
    return humanoid(P, 'daz9', 'y', dict(ground=['Genesis9'], hips='hip', pelvis='pelvis', spine=['spine1', 'spine2', 'spine3', 'spine4'], neck=['neck1', 'neck2'], head='head', S=table(T, 'l', 'r'),
                                         F=lambda f, i, s: s.lower() + '_' + W[f] + str(i) if i < 4 else None, M=lambda f, s: s.lower() + '_' + W[f] + 'metacarpal', extra=extra,
                                         twist={'upperArm': pair('upperarm'), 'lowerArm': pair('forearm'), 'upperLeg': pair('thigh')}), o)


def cc(P, o):
    """Reallusion Character Creator: neck bones are called twist; twist bones begin at the joint itself"""
    c = 'CC_Base_'
    T = {k: c + x for k, x in {'shoulder': '@_Clavicle', 'upperArm': '@_Upperarm', 'lowerArm': '@_Forearm', 'hand': '@_Hand', 'upperLeg': '@_Thigh', 'lowerLeg': '@_Calf', 'foot': '@_Foot', 'toes': '@_ToeBase'}.items()}
    W = {'thumb': 'Thumb', 'index': 'Index', 'middle': 'Mid', 'ring': 'Ring', 'little': 'Pinky'}
    pair = lambda n: ('start', [c + '@_' + n + 'Twist01', c + '@_' + n + 'Twist02'])

    def extra(r, P, top):
        f = r.add(c + 'FacialBone', c + 'Head', P['head'], 'helper')
        r.add(c + 'JawRoot', f, P['jaw'], 'helper')
        for s in 'LR':
            r.add(c + s + '_Eye', f, P['eye.' + s], 'helper')
            b = r.add(c + s + '_RibsTwist', c + 'Spine02', add(P[s + '.upperArm'], [0, -.12, .08]), 'twist')
            r.add(c + s + '_Breast', b, add(P[s + '.upperArm'], [0, -.12, .1]), 'helper')
            r.add(c + s + '_ElbowShareBone', c + s + '_Forearm', P[s + '.lowerArm'], 'helper')
            r.add(c + s + '_KneeShareBone', c + s + '_Calf', P[s + '.lowerLeg'], 'helper')
            r.add(c + s + '_ToeBaseShareBone', c + s + '_Foot', P[s + '.toes'], 'helper')
            for k, n in enumerate(('BigToe1', 'IndexToe1', 'MidToe1', 'RingToe1', 'PinkyToe1')):
                r.add(c + s + '_' + n, c + s + '_ToeBase', add(P[s + '.toeEnd'], [.008 * k, 0, -.02]), 'helper')
    return humanoid(P, 'cc', 'y', dict(ground=[c + 'BoneRoot'], hips=c + 'Hip', pelvis=c + 'Pelvis', spine=[c + 'Waist', c + 'Spine01', c + 'Spine02'], neck=[c + 'NeckTwist01', c + 'NeckTwist02'], head=c + 'Head',
                                       S=table(T, 'L', 'R'), F=lambda f, i, s: c + s + '_' + W[f] + str(i) if i < 4 else None, extra=extra,
                                       twist={'upperArm': pair('Upperarm'), 'lowerArm': pair('Forearm'), 'upperLeg': pair('Thigh'), 'lowerLeg': pair('Calf')}), o)


def arp(P, o):
    """Auto-Rig Pro's deform bones: the bone at the joint has twist in its name, `root.x` is the hips"""
    T = {'shoulder': 'shoulder.@', 'upperArm': 'c_arm_twist_offset.@', 'lowerArm': 'forearm_stretch.@', 'hand': 'hand.@', 'upperLeg': 'thigh_twist.@', 'lowerLeg': 'leg_stretch.@', 'foot': 'foot.@', 'toes': 'toes_01.@'}
    W = {'thumb': 'c_thumb', 'index': 'c_index', 'middle': 'c_middle', 'ring': 'c_ring', 'little': 'c_pinky'}
    return humanoid(P, 'arp', 'y', dict(ground=['c_traj'] if o.get('traj') else [], hips='root.x', spine=['spine_01.x', 'spine_02.x', 'spine_03.x'], neck=['neck.x'], head='head.x', S=table(T, 'l', 'r'),
                                        F=lambda f, i, s: '%s%d.%s' % (W[f], i, s.lower()) if i < 4 else None,
                                        twist={'upperArm': ('chain', ['arm_stretch.%']), 'lowerArm': ('chain', ['forearm_twist.%']), 'upperLeg': ('chain', ['thigh_stretch.%']), 'lowerLeg': ('chain', ['leg_twist.%'])}), o)


def cmu(P, o):
    """CMU's motion capture as BVH: offset bones at the hips, rest = no rotation"""
    def extra(r, P, top):
        for s in 'LR':
            w = side_word(s)
            b = r.add(w + 'FingerBase', w + 'Hand', P[s + '.hand'], 'helper')
            r.add(w + 'HandIndex1', b, P[s + '.middle1'], ('left' if s == 'L' else 'right') + 'IndexProximal')
            r.add(s + 'Thumb', w + 'Hand', P[s + '.thumb1'], ('left' if s == 'L' else 'right') + 'ThumbMetacarpal')
            r.also(('left' if s == 'L' else 'right') + 'Hand', b)
    return humanoid(P, 'cmu', 'identity', dict(hips='Hips', spine=['LowerBack', 'Spine', 'Spine1'], neck=['Neck', 'Neck1'], head='Head', S=table(HIK), beforeLeg=['@HipJoint'], extra=extra), o)


def bvh(P, o):
    """the older BVH convention: joints named after the anatomical joint"""
    T = {'shoulder': '@Collar', 'upperArm': '@Shoulder', 'lowerArm': '@Elbow', 'hand': '@Wrist', 'upperLeg': '@Hip', 'lowerLeg': '@Knee', 'foot': '@Ankle', 'toes': '@Toe'}
    return humanoid(P, 'bvh', 'identity', dict(hips='Hips', spine=['Chest', 'Chest2'], neck=['Neck'], head='Head', S=table(T)), o)


def xsens(P, o):
    T = {'shoulder': '@Shoulder', 'upperArm': '@UpperArm', 'lowerArm': '@ForeArm', 'hand': '@Hand', 'upperLeg': '@UpperLeg', 'lowerLeg': '@LowerLeg', 'foot': '@Foot', 'toes': '@Toe'}
    return humanoid(P, 'xsens', 'identity', dict(hips='Pelvis', spine=['L5', 'L3', 'T12', 'T8'], neck=['Neck'], head='Head', S=table(T)), o)


def smpl(P, o):
    T = {'shoulder': '@_Collar', 'upperArm': '@_Shoulder', 'lowerArm': '@_Elbow', 'hand': '@_Wrist', 'upperLeg': '@_Hip', 'lowerLeg': '@_Knee', 'foot': '@_Ankle', 'toes': '@_Foot'}

    def extra(r, P, top):
        for s in 'LR':
            r.add(s + '_Hand', s + '_Wrist', P[s + '.middle1'], 'end')
    return humanoid(P, 'smpl', 'identity', dict(hips='Pelvis', spine=['Spine1', 'Spine2', 'Spine3'], neck=['Neck'], head='Head', S=table(T, 'L', 'R'), extra=extra), o)


def mmd(P, o):
    """MikuMikuDance: centre, groove and waist above both halves of the body; ik and D bones beside the legs"""
    J = lambda s: '左' if s == 'L' else '右'
    T = {'shoulder': '@肩', 'upperArm': '@腕', 'lowerArm': '@ひじ', 'hand': '@手首', 'upperLeg': '@足', 'lowerLeg': '@ひざ', 'foot': '@足首', 'toes': '@つま先'}
    W = {'thumb': '親指', 'index': '人指', 'middle': '中指', 'ring': '薬指', 'little': '小指'}

    def extra(r, P, top):
        for s in 'LR':
            a = r.add(J(s) + '足IK親', '全ての親', P['ground'], 'ik')
            b = r.add(J(s) + '足ＩＫ', a, P[s + '.foot'], 'ik')
            r.add(J(s) + 'つま先ＩＫ', b, P[s + '.toes'], 'ik')
            r.add(J(s) + '肩C', J(s) + '肩', P[s + '.upperArm'], 'helper')
            d = r.add(J(s) + '足D', '下半身', P[s + '.upperLeg'], 'helper')
            d = r.add(J(s) + 'ひざD', d, P[s + '.lowerLeg'], 'helper')
            d = r.add(J(s) + '足首D', d, P[s + '.foot'], 'helper')
            r.add(J(s) + '足先EX', d, P[s + '.toes'], 'helper')
            r.add(J(s) + '目', '頭', P['eye.' + s], 'helper')
    twist = {'upperArm': ('chain', [lambda s: J(s) + '腕捩']), 'lowerArm': ('chain', [lambda s: J(s) + '手捩'])}
    r = humanoid(P, 'mmd', 'identity', dict(ground=['全ての親'], above=['センター', 'グルーブ'], hips='腰', pelvis='下半身', spine=['上半身', '上半身2'], neck=['首'], head='頭', S=table(T, '左', '右'), twist=twist, extra=extra,
                                            F=lambda f, i, s: J(s) + W[f] + '０１２３'[i - (1 if f == 'thumb' else 0)] if i < 4 else None), o)
    return r


def roblox(P, o):
    T = dict(UNITY, shoulder=None, toes=None)
    return humanoid(P, 'roblox', 'identity', dict(ground=['Root'], above=['HumanoidRootNode'], hips='LowerTorso', spine=['UpperTorso'], neck=[], head='Head', S=table(T)), o)


def synty(P, o):
    T = {'shoulder': 'Clavicle_@', 'upperArm': 'Shoulder_@', 'lowerArm': 'Elbow_@', 'hand': 'Hand_@', 'upperLeg': 'UpperLeg_@', 'lowerLeg': 'LowerLeg_@', 'foot': 'Ankle_@', 'toes': 'Ball_@'}

    def extra(r, P, top):
        for s in 'LR':
            r.add('Toes_' + s, 'Ball_' + s, P[s + '.toeEnd'], 'end')
        r.add('Prop_R', 'Hand_R', P['R.middle1'], 'weapon')
        r.add('Eyes', 'Head', P['eye.L'], 'helper')
    W = {'thumb': 'Thumb', 'index': 'IndexFinger', 'middle': 'Finger'}
    return humanoid(P, 'synty', 'ue', dict(ground=['Root'], hips='Hips', spine=['Spine_01', 'Spine_02', 'Spine_03'], neck=['Neck'], head='Head', S=table(T, 'L', 'R'), extra=extra,
                                           F=lambda f, i, s: '%s_0%d_%s' % (W[f], i, s) if f in W and i < 4 else None), o)


FAMILIES = {f.__name__: f for f in (mixamo, readyplayer, hik, ue4, ue5, mpfb_game, makehuman, vroid, rigify, metarig, unity, godot, biped, valve, daz8, daz9, cc, arp, cmu, bvh, xsens, smpl, mmd, roblox, synty)}


# ------------------------------------------------------------------------------------------------ not a humanoid
def dog(P, o):
    """a quadruped; with names=ue its joints have the names of a humanoid"""
    r = Rig('dog', 'x')
    ue = o.get('names') == 'ue'
    r.add('root', None, [0, 0, 0], 'ground')
    hips = r.add('pelvis', 'root', [0, .55, -.35], 'other')
    up = hips
    for i in range(1, 5):
        up = r.add('spine_0%d' % i, up, [0, .57 + .01 * i, -.35 + .16 * i], 'other')
    neck = r.add('neck_01', up, [0, .68, .38], 'other')
    head = r.add('head', neck, [0, .80, .52], 'other')
    r.add('jaw', head, [0, .74, .60], 'other')
    t = hips
    for i in range(1, 5):
        t = r.add('tail_0%d' % i, t, [0, .58 + .03 * i, -.38 - .09 * i], 'other')
    for s, x in (('l', .10), ('r', -.10)):
        back = ('thigh_', 'calf_', 'foot_', 'ball_') if ue else ('hindleg_upper_', 'hindleg_lower_', 'hindfoot_', 'hindpaw_')
        front = ('clavicle_', 'upperarm_', 'lowerarm_', 'hand_') if ue else ('scapula_', 'foreleg_upper_', 'foreleg_lower_', 'forepaw_')
        u = hips
        for n, y, z in zip(back, (.50, .32, .14, .02), (-.36, -.28, -.42, -.36)):
            u = r.add(n + s, u, [x, y, z], 'other')
        u = up
        for n, y, z in zip(front, (.56, .42, .22, .02), (.28, .34, .27, .29)):
            u = r.add(n + s, u, [x, y, z], 'other')
    return r


def tentacle(P, o):
    r, up = Rig('tentacle', 'y'), None
    for i in range(14):
        up = r.add('Bone' + ('.%03d' % i if i else ''), up, [0.02 * math.sin(i), .12 * i, .03 * math.cos(i)], 'other')
    return r


def hand(P, o):
    B = body('adult', 'T')
    r = Rig('hand', 'ue')
    h = r.add('hand_l', None, B['L.hand'], 'other')
    for f in FINGERS:
        up = h
        for i in (1, 2, 3):
            up = r.add('%s_0%d_l' % (UE_FINGER[f], i), up, B['L.%s%d' % (f, i)], 'other')
    return r


def car(P, o):
    r = Rig('car', 'identity')
    r.add('root', None, [0, 0, 0], 'ground')
    b = r.add('body', 'root', [0, .5, 0], 'other')
    for n, x, z in (('FL', .7, 1.3), ('FR', -.7, 1.3), ('RL', .7, -1.3), ('RR', -.7, -1.3)):
        s = r.add('suspension_' + n, b, [x, .35, z], 'other')
        r.add('wheel_' + n, s, [x, .3, z], 'other')
    for n in ('door_l', 'door_r', 'hood', 'steering_wheel'):
        r.add(n, b, [.6 if n.endswith('l') else -.6, .8, .2], 'other')
    return r


OTHERS = {f.__name__: f for f in (dog, tentacle, hand, car)}


# ------------------------------------------------------------------------------------------------ joints -> glTF
def orient(rig, axes, rng):
    """world rotation of every joint in the figure's own axes"""
    kids = {}
    for j in rig.joints:
        kids.setdefault(j['parent'], []).append(j)
    rank = lambda j: (j['role'] in EXTRA, j['role'] in ('helper',), 'Shoulder' in j['role'] or 'Leg' in j['role'], 'thumb' in j['role'].lower(), 'index' in j['role'].lower())
    for j in rig.joints:
        if axes == 'identity' or (j['role'] == 'ground' and axes != 'random'):
            j['rot'] = [0.0, 0.0, 0.0, 1.0]
            continue
        if axes == 'random':
            q = [rng.gauss(0, 1) for _ in range(4)]
            n = math.sqrt(sum(c * c for c in q))
            j['rot'] = [c / n for c in q]
            continue
        aim = j['aim']
        if aim is None:
            for k in sorted(kids.get(j['name'], []), key=rank):
                if norm(sub(k['pos'], j['pos'])) > 1e-4:
                    aim = k['pos']
                    break
        if aim is None and j['parent'] is not None:
            up = rig.joints[rig.index[j['parent']]]['pos']
            aim = add(j['pos'], sub(j['pos'], up)) if norm(sub(j['pos'], up)) > 1e-4 else None
        d = unit(sub(aim, j['pos'])) if aim is not None and norm(sub(aim, j['pos'])) > 1e-9 else [0.0, 1.0, 0.0]
        ref = [0.0, 0.0, 1.0] if abs(d[2]) < 0.9 else [0.0, 1.0, 0.0]
        if axes == 'y':
            x = unit(cross(d, ref))
            j['rot'] = from_axes(x, d, cross(x, d))
        else:
            if axes == 'ue' and j['role'].startswith('right') or axes == 'ue' and j['name'].endswith(('_r', '_R')):
                d = mul(d, -1.0)
            y = unit(cross(ref, d))
            j['rot'] = from_axes(d, y, cross(d, y))


def build(family, proportions, options=None):
    """-> (rig, nodes, joint node indices, truth)"""
    o = dict(options or {})
    rng = random.Random('%s %s %s' % (family, proportions, json.dumps(o, sort_keys=True)))
    human = family in FAMILIES
    P = body(proportions, o.get('pose', 'T')) if human else None
    rig = (FAMILIES if human else OTHERS)[family](P, o)
    orient(rig, o.get('axes') or rig.axes, rng)
    if o.get('flat') == 'yes':                                       # deform-only export: what hung below a control bone falls to the top
        top = next((j['name'] for j in rig.joints if j['role'] == 'ground'), None) or rig.joints[0]['name']
        for j in rig.joints:
            if j['role'] in ('leftShoulder', 'rightShoulder', 'leftUpperArm', 'rightUpperArm', 'leftUpperLeg', 'rightUpperLeg') or j['name'].startswith('DEF-pelvis'):
                j['parent'] = top
    yaw = 180.0 if str(o.get('vrm')) == '0' else 0.0
    turn = qaxis([0, 1, 0], yaw)
    if o.get('origin') == 'hips':
        h = next(j['pos'] for j in rig.joints if j['role'] == 'hips')[1]
        for j in rig.joints:
            j['pos'] = sub(j['pos'], [0, h, 0])
    arm = o.get('armature', 'plain')
    names, meaningless = {}, list(range(1, len(rig.joints) + 1))
    rng.shuffle(meaningless)
    for i, j in enumerate(rig.joints):
        n = j['name']
        if o.get('rename'):
            n = 'joint_%03d' % meaningless[i]
        if o.get('replace'):
            n = n.replace(*o['replace'].split('=>'))
        if o.get('sanitize') is not None:
            n = ''.join(o['sanitize'] if c in ' .:-' else c for c in n)
        names[j['name']] = str(o.get('prefix', '')) + n
    order = list(range(len(rig.joints)))
    if o.get('shuffle'):
        rng.shuffle(order)
    nodes, at = [], {}
    has_ground = rig.joints[0]['role'] == 'ground'
    tilt = qaxis([1, 0, 0], -90.0)                                    # below a node with this turn, Z is up
    unit_ = 0.01 if arm in ('fbx', 'cm') else 1.0
    W = {}
    if arm in ('plain', 'fbx') or (arm == 'zup' and not has_ground):
        a = {'name': o.get('armatureName', 'Armature'), 'children': []}
        W[None] = tilt if arm in ('fbx', 'zup') else [0.0, 0.0, 0.0, 1.0]
        if arm in ('fbx', 'zup'):
            a['rotation'] = tilt
        if arm == 'fbx':
            a['scale'] = [0.01, 0.01, 0.01]
        nodes.append(a)
    else:
        W[None] = [0.0, 0.0, 0.0, 1.0]
    first = len(nodes)
    for k, i in enumerate(order):
        at[rig.joints[i]['name']] = first + k
    nodes += [None] * len(order)
    base = (o.get('axes') or rig.axes) == 'identity'
    pos = {None: [0.0, 0.0, 0.0]}
    for j in rig.joints:
        q = qmul(turn, j['rot'])
        if base:                                                      # no rotations of their own: what the armature has
            q = qmul(W[None], q) if arm in ('fbx', 'zup') and not (arm == 'zup' and has_ground) else q
        if arm == 'zup' and has_ground and (j['role'] == 'ground' or base):
            q = qmul(tilt, q) if base or j['role'] == 'ground' else q
        if arm == 'fbx' and j['role'] == 'ground' and not base:
            q = tilt
        W[j['name']] = q
        pos[j['name']] = qrot(turn, j['pos'])
    roots = []
    for j in rig.joints:
        n = {'name': names[j['name']]}
        p, w = j['parent'], W[j['parent']]
        t = qrot(qinv(w), sub(pos[j['name']], pos[p]))
        t = mul(t, 1 / unit_)
        r = qmul(qinv(w), W[j['name']])
        if r[3] < 0:
            r = [-c for c in r]
        if max(abs(c) for c in t) > 1e-9:
            n['translation'] = [round(c, 7) + 0.0 for c in t]
        if abs(r[3]) < 1 - 1e-12:
            n['rotation'] = [round(c, 9) + 0.0 for c in r]
        kids = [at[k['name']] for k in rig.joints if k['parent'] == j['name']]
        if kids:
            n['children'] = sorted(kids) if o.get('shuffle') else kids
        nodes[at[j['name']]] = n
        if p is None:
            roots.append(at[j['name']])
    if first:
        nodes[0]['children'] = roots
    joints = [at[rig.joints[i]['name']] for i in order]
    if not o.get('shuffle'):
        joints = [at[j['name']] for j in rig.joints]
    truth = {'family': family, 'proportions': proportions, 'options': o, 'humanoid': human, 'yaw': yaw,
             'joints': {names[j['name']]: j['role'] for j in rig.joints},
             'accept': {}}
    for j in rig.joints:
        if j['role'] not in EXTRA + ('ground', 'other'):
            truth['accept'].setdefault(j['role'], []).append(names[j['name']])
    for role, more in rig.accept.items():
        for m in more:
            if names[m] not in truth['accept'].setdefault(role, []):
                truth['accept'][role].append(names[m])
    scene = [0] if first else roots
    return {'rig': rig, 'nodes': nodes, 'joints': joints, 'scene': scene, 'truth': truth, 'at': at, 'W': W, 'pos': pos, 'unit': unit_, 'armature': arm, 'options': o}


def prism(a, b, w):
    """a tapered prism with six sides -> points, triangles"""
    d = unit(sub(b, a))
    x = unit(cross(d, [0.0, 0.0, 1.0] if abs(d[2]) < 0.9 else [0.0, 1.0, 0.0]))
    y = cross(d, x)
    pts = [a]
    for c, s in ((mix(a, b, .12), 1.0), (mix(a, b, .85), .7)):
        for k in range(6):
            pts.append(add(c, add(mul(x, w * s * math.cos(k * math.pi / 3)), mul(y, w * s * math.sin(k * math.pi / 3)))))
    pts.append(b)
    tri = []
    for k in range(6):
        n = (k + 1) % 6
        tri += [0, 1 + n, 1 + k, 1 + k, 1 + n, 7 + k, 7 + k, 1 + n, 7 + n, 7 + k, 7 + n, 13]
    return pts, tri


def write(path, b):
    """the .glb and the truth beside it"""
    rig, nodes, joints, o = b['rig'], b['nodes'], b['joints'], b['options']
    gltf = {'asset': {'version': '2.0', 'generator': 'rig_set.py'}, 'scene': 0, 'scenes': [{'nodes': list(b['scene'])}], 'nodes': nodes}
    name = {v: k for k, v in b['at'].items()}
    blob, views, acc = b'', [], []

    def put(data, **a):
        nonlocal blob
        blob += b'\0' * (-len(blob) % 4)
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
        blob += data
        acc.append(dict({'bufferView': len(views) - 1}, **a))
        return len(acc) - 1
    data = b''
    scale = 0.01 if b['armature'] == 'fbx' else 1.0
    k = 100.0 if b['armature'] == 'cm' else 1.0
    for n in joints:                                                  # inverse bind matrix: inverse of (pos, W, scale), column-major
        q, p = b['W'][name[n]], mul(b['pos'][name[n]], k)
        i = qinv(q)
        c = [mul(qrot(i, e), 1 / scale) for e in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])]
        t = mul(qrot(i, p), -1 / scale)
        data += struct.pack('<16f', c[0][0], c[0][1], c[0][2], 0, c[1][0], c[1][1], c[1][2], 0, c[2][0], c[2][1], c[2][2], 0, t[0], t[1], t[2], 1)
    gltf['skins'] = [{'joints': joints, 'inverseBindMatrices': put(data, componentType=5126, count=len(joints), type='MAT4')}]
    if o.get('mesh') == 'yes':
        pts, tri, js = [], [], []
        place = {n: i for i, n in enumerate(joints)}
        for j in rig.joints:
            for kid in rig.joints:
                if kid['parent'] == j['name'] and j['role'] not in EXTRA + ('ground',) and kid['role'] not in EXTRA and norm(sub(kid['pos'], j['pos'])) > 0.02:
                    a, e = mul(b['pos'][j['name']], k), mul(b['pos'][kid['name']], k)
                    q, t = prism(a, e, norm(sub(e, a)) * 0.14)
                    tri += [len(pts) + i for i in t]
                    pts += q
                    js += [place[b['at'][j['name']]]] * len(q)
        lo, hi = [min(p[i] for p in pts) for i in range(3)], [max(p[i] for p in pts) for i in range(3)]
        f32 = lambda v: struct.unpack('<f', struct.pack('<f', v))[0]
        A = {'POSITION': put(b''.join(struct.pack('<3f', *p) for p in pts), componentType=5126, count=len(pts), type='VEC3', min=[f32(v) for v in lo], max=[f32(v) for v in hi]),
             'JOINTS_0': put(b''.join(struct.pack('<4H', j, 0, 0, 0) for j in js), componentType=5123, count=len(js), type='VEC4'),
             'WEIGHTS_0': put(struct.pack('<4f', 1, 0, 0, 0) * len(js), componentType=5126, count=len(js), type='VEC4')}
        idx = put(b''.join(struct.pack('<H', t) for t in tri), componentType=5123, count=len(tri), type='SCALAR')
        gltf['meshes'] = [{'name': 'Body', 'primitives': [{'attributes': A, 'indices': idx}]}]
        nodes.append({'name': 'Body', 'mesh': 0, 'skin': 0})
        gltf['scenes'][0]['nodes'].append(len(nodes) - 1)
    else:
        gltf['skins'][0]['name'] = 'Armature'
    t = b['truth']
    if o.get('vrm') is not None:
        node = {n.get('name'): i for i, n in enumerate(nodes)}
        bones = {role: node[a[0]] for role, a in t['accept'].items() if role in HUMAN_BONES}
        if str(o['vrm']) == '1':
            gltf['extensionsUsed'] = ['VRMC_vrm']
            gltf['extensions'] = {'VRMC_vrm': {'specVersion': '1.0', 'meta': {'name': 'rig', 'authors': ['rig_set'], 'licenseUrl': 'https://vrm.dev/licenses/1.0/'},
                                               'humanoid': {'humanBones': {r: {'node': i} for r, i in bones.items()}}}}
        else:
            old = {'leftThumbMetacarpal': 'leftThumbProximal', 'leftThumbProximal': 'leftThumbIntermediate', 'rightThumbMetacarpal': 'rightThumbProximal', 'rightThumbProximal': 'rightThumbIntermediate'}
            gltf['extensionsUsed'] = ['VRM']
            gltf['extensions'] = {'VRM': {'specVersion': '0.0', 'humanoid': {'humanBones': [{'bone': old.get(r, r), 'node': i, 'useDefaultValues': True} for r, i in bones.items()]}}}
    gltf['buffers'] = [{'byteLength': len(blob)}]
    gltf['bufferViews'], gltf['accessors'] = views, acc
    text = json.dumps(gltf, separators=(',', ':'), ensure_ascii=False).encode('utf-8')
    text += b' ' * (-len(text) % 4)
    blob += b'\0' * (-len(blob) % 4)
    with open(path, 'wb') as f:
        f.write(struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(blob)) + struct.pack('<I4s', len(text), b'JSON') + text + struct.pack('<I4s', len(blob), b'BIN\0') + blob)
    with open(path[:-4] + '.truth.json', 'w', encoding='utf-8') as f:
        json.dump(t, f, indent=1, ensure_ascii=False)
        f.write('\n')


HUMAN_BONES = set(LIMBS) | set(SPINE) | {'neck'} | {s + r for s in ('left', 'right') for f in FINGERS for r in FINGER_ROLES[f]}

# name -> (family, proportions, options)
SMALL = {
    'mixamo-T-fbx': ('mixamo', 'adult', {'pose': 'T', 'armature': 'fbx', 'prop': 1}),
    'mixamo-A-child': ('mixamo', 'child', {'pose': 'A', 'mesh': 'yes'}),
    'ue5-A': ('ue5', 'adult', {'pose': 'A', 'armature': 'zup'}),
    'ue5-giant': ('ue5', 'giant', {'pose': 'A', 'armature': 'fbx'}),
    'vroid-T': ('vroid', 'adult', {'pose': 'T', 'armature': 'none', 'vrm': 1}),
    'vroid-child': ('vroid', 'child', {'pose': 'T', 'armature': 'none', 'old': 1, 'vrm': 0}),
    'rigify-A': ('rigify', 'adult', {'pose': 'A', 'mesh': 'yes'}),
    'rigify-giant': ('rigify', 'giant', {'pose': 'T', 'sanitize': '_'}),
    'godot-T': ('godot', 'adult', {'pose': 'T'}),
    'unity-child': ('unity', 'child', {'pose': 'A', 'shuffle': 1}),
    'biped-A': ('biped', 'adult', {'pose': 'A', 'armature': 'zup'}),
    'biped-giant': ('biped', 'giant', {'pose': 'T', 'bip': 'Bip001', 'sanitize': '_', 'armature': 'fbx'}),
    'dog': ('dog', '-', {}),
    'tentacle': ('tentacle', '-', {}),
    'hand': ('hand', '-', {}),
}


def write_set(out, rigs):
    os.makedirs(out, exist_ok=True)
    for name, (family, proportions, options) in rigs.items():
        write(os.path.join(out, name + '.glb'), build(family, proportions, options))


def main(a):
    if not a or a[0] in ('-h', '--help'):
        print(__doc__)
        return 0 if a else 2
    if a[0] == '--list':
        print('families: ' + ' '.join(FAMILIES) + '\nno humanoids: ' + ' '.join(OTHERS) + '\nproportions: ' + ' '.join(PROPORTIONS))
        return 0
    if len(a) > 2:
        o = dict(x.split('=', 1) for x in a[3:])
        os.makedirs(a[0], exist_ok=True)
        write(os.path.join(a[0], a[1] + '-' + a[2] + '.glb'), build(a[1], a[2], o))
        return 0
    rigs = json.load(open(a[1], encoding='utf-8')) if len(a) == 2 else SMALL
    write_set(a[0], rigs)
    print('%d rigs in %s' % (len(rigs), a[0]))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
