#!/usr/bin/env python3
"""Turns real motion captures (BVH) into game files: FF7 battle pack and skeleton, FF9 animation blocks and model head,
Metroid Prime ANIM and CINF, RLF pictures, each with an expected.json.

    python3 make.py FOLDER [CAPTURE...]   the folder with the .bvh files (`dpkg -L assimp-testmodels | grep BVH`), and which captures
                                          (default: cmu_01_01 and cmu_01_03, those of this folder)
    PREVIEW=FOLDER                also writes six pictures of each RLF as a .ppm

Python 3 standard library; deterministic. The encoders are those of ../conformance/*/generate.py.
"""
import hashlib, importlib.util, json, math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True


def module(fmt):
    spec = importlib.util.spec_from_file_location('make_' + fmt, os.path.join(HERE, '..', 'conformance', fmt, 'generate.py'))
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    return m


F7, F9, MP, RL = (module(f) for f in ('ff7', 'ff9', 'metroid', 'rlf'))


# ------------------------------------------------------------------ quaternions (w, x, y, z)
def mul(a, b):
    return (a[0]*b[0]-a[1]*b[1]-a[2]*b[2]-a[3]*b[3], a[0]*b[1]+a[1]*b[0]+a[2]*b[3]-a[3]*b[2],
            a[0]*b[2]-a[1]*b[3]+a[2]*b[0]+a[3]*b[1], a[0]*b[3]+a[1]*b[2]-a[2]*b[1]+a[3]*b[0])


def inv(q):
    return (q[0], -q[1], -q[2], -q[3])


def turn(q, v):
    return mul(mul(q, (0.0,) + tuple(v)), inv(q))[1:]


def unit(q):
    n = math.sqrt(sum(v * v for v in q))
    return tuple(v / n for v in q)


def slerp(a, b, u):
    d = sum(x * y for x, y in zip(a, b))
    if d < 0:
        b, d = tuple(-x for x in b), -d
    if d > 0.999999:
        return unit(tuple(x + (y - x) * u for x, y in zip(a, b)))
    t = math.acos(d)
    return unit(tuple((math.sin((1 - u) * t) * x + math.sin(u * t) * y) / math.sin(t) for x, y in zip(a, b)))


def axis(k, degrees):
    h = math.radians(degrees) / 2
    return (math.cos(h),) + tuple(math.sin(h) if i == k else 0.0 for i in range(3))


def between(a, b):
    """smallest rotation that takes direction a to direction b"""
    d = sum(x * y for x, y in zip(a, b))
    if d < -0.999999:
        return (0.0, 1.0, 0.0, 0.0)                    # a is +-Z here: half a turn about X
    c = (a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2], a[0]*b[1]-a[1]*b[0])
    return unit((1 + d,) + c)


def matrix(q):
    w, x, y, z = q
    return [[1-2*(y*y+z*z), 2*(x*y-z*w), 2*(x*z+y*w)], [2*(x*y+z*w), 1-2*(x*x+z*z), 2*(y*z-x*w)], [2*(x*z-y*w), 2*(y*z+x*w), 1-2*(x*x+y*y)]]


def length(v):
    return math.sqrt(sum(x * x for x in v))


# ------------------------------------------------------------------ the capture
class Bvh:
    def __init__(self, path):
        self.name, self.parent, self.offset, self.channels = [], [], [], []
        with open(path) as f:
            words = f.read().split()
        i, stack, order = 1, [], []
        while words[i] != 'MOTION':
            w = words[i]
            if w in ('ROOT', 'JOINT', 'End'):
                n = words[i + 1] if w != 'End' else self.name[stack[-1]] + '_end'
                self.name.append(n); self.parent.append(stack[-1] if stack else -1)
                self.offset.append(None); self.channels.append([])
                stack.append(len(self.name) - 1)
                i += 3
            elif w == 'OFFSET':
                self.offset[stack[-1]] = tuple(float(v) for v in words[i + 1:i + 4])
                i += 4
            elif w == 'CHANNELS':
                n = int(words[i + 1])
                self.channels[stack[-1]] = words[i + 2:i + 2 + n]
                order += [(stack[-1], c) for c in words[i + 2:i + 2 + n]]
                i += 2 + n
            else:
                assert w == '}', w
                stack.pop()
                i += 1
        assert words[i + 1] == 'Frames:' and words[i + 3] == 'Frame'
        n, self.step = int(words[i + 2]), float(words[i + 5])
        self.step = {0.0083333: 1 / 120}.get(self.step, self.step)
        k = len(order)
        rows = [words[i + 6 + f * k:i + 6 + (f + 1) * k] for f in range(n)]
        self.rows, self.order = rows, order
        self.kids = [[j for j, p in enumerate(self.parent) if p == q] for q in range(len(self.name))]
        rest = []
        for j, p in enumerate(self.parent):
            rest.append(tuple(a + b for a, b in zip(rest[p], self.offset[j])) if p >= 0 else (0.0, 0.0, 0.0))
        self.rest = rest
        self.height = max(p[1] for p in rest) - min(p[1] for p in rest)
        self.ground = min(p[1] for p in rest)

    def raw(self, f):
        q, root, row = [(1.0, 0, 0, 0)] * len(self.name), [0, 0, 0], [float(v) for v in self.rows[f]]
        for (j, c), v in zip(self.order, row):
            k = 'XYZ'.index(c[0])
            if c.endswith('position'):
                root[k] = v
            else:
                q[j] = mul(q[j], axis(k, v))
        return root, q

    def at(self, time):
        """-> world positions and world rotations of all joints"""
        f = time / self.step
        i = min(int(f + 1e-6), len(self.rows) - 2)
        u = max(0.0, min(1.0, f - i))
        root, q = self.raw(i)
        if u > 1e-6:
            r2, q2 = self.raw(i + 1)
            root = [a + (b - a) * u for a, b in zip(root, r2)]
            q = [slerp(a, b, u) for a, b in zip(q, q2)]
        P, W = [], []
        for j, p in enumerate(self.parent):
            if p < 0:
                P.append(tuple(a + b for a, b in zip(root, self.offset[j]))); W.append(unit(q[j]))
            else:
                d = turn(W[p], self.offset[j])
                P.append(tuple(a + b for a, b in zip(P[p], d))); W.append(unit(mul(W[p], q[j])))
        return P, W

    def clip(self, start, frames, rate):
        return [self.at(start + f / rate) for f in range(frames)]


DOWN = (0.0, 1.0, 0.0, 0.0)                            # half a turn about X: Y up <-> Y down


def flip(v):
    return (v[0], -v[1], -v[2])


def deviation(have, want, height):
    worst = [max(length([a - b for a, b in zip(p, q)]) for p, q in zip(f, g)) / height * 100 for f, g in zip(have, want)]
    mean = [sum(length([a - b for a, b in zip(p, q)]) for p, q in zip(f, g)) / len(f) / height * 100 for f, g in zip(have, want)]
    return dict(max=round(max(worst), 4), mean=round(sum(mean) / len(mean), 4))


def best_angles(exact, step, target, previous, quat):
    """exact: solutions in 1/4096 turns. -> integers on the grid, next to the previous ones, closest rotation to target"""
    if previous:
        exact = [[p + ((v - p + 2048) % 4096) - 2048 for v, p in zip(s, previous)] for s in exact]
        exact = [min(exact, key=lambda s: sum(abs(v - p) for v, p in zip(s, previous)))]
    s = exact[0]
    low = [math.floor(v / step) * step for v in s]
    best = None
    for k in range(8):
        c = [low[i] + (step if k >> i & 1 else 0) for i in range(3)]
        d = abs(sum(x * y for x, y in zip(quat(c), target)))
        if best is None or d > best[0] + 1e-12:
            best = (d, c)
    return best[1]


T = 2048 / math.pi


def solve_yxz(q):
    m = matrix(q)
    s = max(-1.0, min(1.0, -m[1][2]))
    if abs(s) > 0.9999999:
        return [[math.asin(s) * T, math.atan2(-m[2][0], m[0][0]) * T, 0.0]]
    x, y, z = math.asin(s) * T, math.atan2(m[0][2], m[2][2]) * T, math.atan2(m[1][0], m[1][1]) * T
    return [[x, y, z], [2048 - x, y + 2048, z + 2048]]


def solve_zyx(q):
    m = matrix(q)
    s = max(-1.0, min(1.0, -m[2][0]))
    if abs(s) > 0.9999999:
        return [[math.atan2(-m[1][2], m[1][1]) * T, math.asin(s) * T, 0.0]]
    x, y, z = math.atan2(m[2][1], m[2][2]) * T, math.asin(s) * T, math.atan2(m[1][0], m[0][0]) * T
    return [[x, y, z], [x + 2048, 2048 - y, z + 2048]]


def flat(points, digits):
    return [round(v, digits) + 0.0 for p in points for v in p]


def save(folder, name, data):
    with open(os.path.join(folder, name), 'wb') as f:
        f.write(data)


def save_json(folder, obj):
    with open(os.path.join(folder, 'expected.json'), 'w') as f:
        json.dump(obj, f, separators=(',', ':'))
        f.write('\n')


# ------------------------------------------------------------------ FF7
def make_ff7(b, folder, code, windows):
    scale = 930.0 / b.height
    segs, ends = [], {}                                # joint -> bone that ends there
    for j, p in enumerate(b.parent):
        if p < 0:
            ends[j] = -1
        elif length(b.offset[j]) < 1e-6:
            ends[j] = ends[p]
        else:
            ends[j] = len(segs)
            L = length(b.offset[j])
            segs.append((j, p, ends[p], between((0, 0, -1.0), [v / L for v in b.offset[j]]), -L * scale))
    bones = [(s[2], struct.unpack('<f', struct.pack('<f', s[4]))[0], 1) for s in segs]
    quat = F7.quaternion
    pack, clips, special = F7.Pack(), [], len(windows) // 2
    for n, (start, frames, key) in enumerate(windows):
        if n == special:
            pack.special(len(bones) + 1, 0, bytes.fromhex('301a0000'))
            clips.append(dict(index=pack.n - 1, kind='special', frames=[]))
        poses, out, prev = b.clip(start, frames, 15), [], [None] * (len(segs) + 1)
        for P, W in poses:
            rots, world = [], []
            want = mul(mul(DOWN, W[0]), inv(DOWN))
            a = best_angles(solve_yxz(want), 1 << key, want, prev[0], quat)
            rots.append(a)
            root = quat(a)
            for i, (j, p, par, aim, L) in enumerate(segs):
                up = world[par] if par >= 0 else root
                want = unit(mul(inv(up), mul(mul(DOWN, W[p]), aim)))
                a = best_angles(solve_yxz(want), 1 << key, want, prev[i + 1], quat)
                rots.append(a)
                world.append(unit(mul(up, quat(a))))
            if prev[0] is None:                        # frame 0 is stored in 12 - key signed bits
                rots = [[(v + 2048) % 4096 - 2048 for v in a] for a in rots]
            prev = rots
            out.append((tuple(round(v * scale) for v in flip(P[0])), [tuple(a) for a in rots]))
        pack.animation(out, key)
        have, want, rec = [], [], []
        for f, (fr, (P, W)) in enumerate(zip(out, poses)):
            starts, tips = F7.pose(bones, fr)
            have.append(starts[:1] + tips)
            want.append([tuple(v * scale for v in flip(P[0]))] + [tuple(v * scale for v in flip(P[s[0]])) for s in segs])
            rec.append(dict(time=round(f / 15, 9), native=flat(starts, 3), gltf=flat([flip(p) for p in starts], 3), ends_native=flat(tips, 3)))
        clips.append(dict(index=pack.n - 1, name='%sda_%03d' % (code, pack.n - 1), kind='animation', key=key, capture_start=start,
                          deviation_percent=deviation(have, want, 930.0), frames=rec))
    save(folder, code + 'aa', F7.skeleton_file(bones, pack.n))
    save(folder, code + 'da', pack.bytes())
    save_json(folder, dict(format='ff7-battle-animation', inputs=[code + 'da'], skeleton=code + 'aa', rate=15, figure_height=930.0,
                           joints=['root'] + ['bone%03d' % i for i in range(len(bones))],
                           capture_joints=[b.name[0]] + [b.name[s[1]] for s in segs], capture_ends=[b.name[s[0]] for s in segs], clips=clips))
    return clips, len(bones)


# ------------------------------------------------------------------ FF9
def make_ff9(b, folder, code, windows):
    scale = 458.0 / b.height
    bones, aim, source, holder = [], [], [], {}        # (length, parent), aim rotation, capture joint, joint -> bone to hang a child on
    point = {}
    for j, p in enumerate(b.parent):
        parent = holder.get((p, j), point.get(p, 0))
        bones.append((0 if p < 0 else round(length(b.offset[j]) * scale), parent))
        me = len(bones) - 1
        point[j] = me
        far = [k for k in b.kids[j] if length(b.offset[k]) > 1e-6]
        to = lambda k: between((0, 0, 1.0), [v / length(b.offset[k]) for v in b.offset[k]])
        aim.append(to(far[0]) if far else None)
        source.append(j)
        for k in far[1:]:                              # bones without length that point at the other children
            bones.append((0, me))
            aim.append(to(k))
            source.append(j)
            holder[(j, k)] = len(bones) - 1
    save(folder, code + '.ff9model', F9.model_file(bones, height=458, radius=100))
    quat = lambda a: (lambda q: (q[3], q[0], q[1], q[2]))(F9.quaternion(a))
    clips, names = [], []
    main = [point[j] for j in range(len(b.name))]
    for n, (start, frames) in enumerate(windows):
        poses, t, ang, prev = b.clip(start, frames, 30), [], [], [None] * len(bones)
        for P, W in poses:
            t.append([round(v * scale) for v in flip(P[0])])
            world, row = [], []
            for i, (L, par) in enumerate(bones):
                up = world[par] if i else (1.0, 0, 0, 0)
                if aim[i] is None:
                    a = [0, 0, 0] if not b.channels[source[i]] else prev[i] or [0, 0, 0]
                else:
                    want = unit(mul(inv(up), mul(mul(DOWN, W[source[i]]), aim[i])))
                    a = best_angles(solve_zyx(want), 1, want, prev[i], quat)
                row.append(a)
                world.append(unit(mul(up, quat(a))))
            prev = row
            ang.append([[v & 4095 for v in a] for a in row])
        name = '%s_%d' % (code, n)
        names.append(name + '.ff9anim')
        save(folder, names[-1], F9.encode(t, ang))
        have, want, rec = [], [], []
        for f, (P, W) in enumerate(poses):
            pos = F9.pose(bones, t[f], ang[f])
            have.append([pos[i] for i in main])
            want.append([tuple(v * scale for v in flip(p)) for p in P])
            rec.append(dict(time=round(f / 30, 9), native=flat(pos, 3), gltf=flat([flip(p) for p in pos], 3)))
        clips.append(dict(index=n, name=name, capture_start=start, deviation_percent=deviation(have, want, 458.0), frames=rec))
    save_json(folder, dict(format='ff9-animation', inputs=names, skeleton=code + '.ff9model', rate=30, figure_height=458.0,
                           joints=['bone%03d' % i for i in range(len(bones))], capture_joints=[b.name[j] for j in source], clips=clips))
    return clips, len(bones)


# ------------------------------------------------------------------ Metroid Prime
def make_metroid(b, folder, code, windows):
    scale = 1.8 / b.height
    conv = lambda v: (-v[0], v[2], v[1])
    cq = lambda q: (q[0], -q[1], q[3], q[2])
    height = -b.ground * scale
    bones = [(3, 2, (0.0, 0.0, 0.0), 'Skeleton_Root')]
    for j, p in enumerate(b.parent):
        r = conv([v * scale for v in b.rest[j]])
        bones.append((4 + j, 3 if p < 0 else 4 + p, tuple(MP.f32(v) for v in (r[0], r[1], r[2] + height)), b.name[j]))
    assert bones[-1][0] < 100
    save(folder, code + '.CINF', MP.cinf_file(bones))
    DIV, TM, K = 32767, 1 / 4096, (math.pi / 2) / 32767
    clips, names = [], []
    turning = [j for j in range(len(b.name)) if b.channels[j]]
    for n, (start, frames, kind) in enumerate(windows):
        poses = b.clip(start, frames, 30)
        local = [[cq(W[j]) if b.parent[j] < 0 else unit(mul(inv(cq(W[b.parent[j]])), cq(W[j]))) for j in range(len(b.name))] for P, W in poses]
        root = [conv([v * scale for v in P[0]]) for P, W in poses]
        want = [[conv([v * scale for v in p]) for p in P] for P, W in poses]
        at0 = {x[0]: x[2] for x in bones}

        def positions(rot, move):                      # rot: joint -> quaternion; move: root position
            out, Q = [], []
            for j, p in enumerate(b.parent):
                if p < 0:
                    out.append(tuple(move)); Q.append(rot[j])
                else:
                    d = turn(Q[p], [u - v for u, v in zip(at0[4 + j], at0[4 + p])])
                    out.append(tuple(u + v for u, v in zip(out[p], d))); Q.append(mul(Q[p], rot[j]))
            return out
        if kind == 'every':
            keys = list(range(frames))
        elif kind == 'second':
            keys = list(range(0, frames, 2))
        elif kind == 'adaptive':
            keys, at = [0], 0
            while at < frames - 1:
                to = at + 1
                while to + 1 < frames and to + 1 - at <= 8:
                    good = True
                    for f in range(at + 1, to + 1):
                        u = (f - at) / (to + 1 - at)
                        r = [slerp(x, y, u) for x, y in zip(local[at], local[to + 1])]
                        m = [x + (y - x) * u for x, y in zip(root[at], root[to + 1])]
                        if max(length([x - y for x, y in zip(p, q)]) for p, q in zip(positions(r, m), want[f])) > 0.006 * 1.8:
                            good = False
                            break
                    if not good:
                        break
                    to += 1
                keys.append(to)
                at = to
        else:
            keys = list(range(frames))
        name = '%s_%d' % (code, n)
        names.append(name + '.ANIM')
        if kind == 'arrays':
            chans = [dict(bone=3, rot=[[1.0, 0.0, 0.0, 0.0]] * frames, trn=[[MP.f32(r[0]), MP.f32(r[1]), 0.0] for r in root])]
            for j in turning:
                q = []
                for f in range(frames):
                    v = local[f][j]
                    if (q and sum(x * y for x, y in zip(q[-1], v)) < 0) or (not q and v[0] < 0):
                        v = tuple(-x for x in v)
                    q.append([MP.f32(x) for x in v])
                chans.append(dict(bone=4 + j, rot=q, trn=None if j else [[0.0, 0.0, MP.f32(r[2])] for r in root]))
            order = [(i * 7 + 3) % len(chans) for i in range(len(chans))]
            if len(set(order)) != len(chans):
                order = list(range(len(chans)))[::-1]
            save(folder, names[-1], MP.encode_array_anim(chans, frames, order=order, trn_order=[1, 0]))
            vals = MP.array_values(chans)
        else:
            chans = [dict(bone=3, trn=[(round(root[f][0] / TM), round(root[f][1] / TM), 0) for f in keys])]
            done = {}                                  # joint -> quantised rotations per key
            for j in turning:
                out, qs = [], []
                for i, f in enumerate(keys):
                    up, p = (1.0, 0, 0, 0), b.parent[j]
                    chain = []
                    while p >= 0:
                        chain.append(done[p][i]); p = b.parent[p]
                    for q in reversed(chain):
                        up = mul(up, q)
                    v = unit(mul(inv(up), cq(poses[f][1][j])))
                    if (qs and sum(x * y for x, y in zip(qs[-1], v)) < 0) or (not qs and v[0] < 0):
                        v = tuple(-x for x in v)
                    e = tuple(round(math.asin(max(-1.0, min(1.0, x))) / K) for x in v[1:]) + (1 if v[0] < 0 and i else 0,)
                    out.append(e)
                    qs.append(unit(MP.rotation_value(e, DIV)))
                done[j] = qs
                c = dict(bone=4 + j, rot=out)
                if j == 0:
                    c['trn'] = [(0, 0, round(root[f][2] / TM)) for f in keys]
                chans.append(c)
            save(folder, names[-1], MP.encode_stream_anim(chans, keys, frames, divisor=DIV, tmul=TM, looping=0, pad=32))
            vals = MP.values(chans, divisor=DIV, tmul=TM)
        have, goal, rec, dense, dgoal = [], [], [], [], []
        rate = MP.f32(1 / 30)
        for i, f in enumerate(keys):
            pos = MP.pose(bones, vals, i)
            row = [pos[x[0]] for x in bones]
            have.append(row[1:]); goal.append(want[f])
            rec.append(dict(frame=f, time=round(f * rate, 9), native=flat(row, 5), gltf=flat([MP.gltf_axes(p) for p in row], 5)))
        dev = dict(at_keys=deviation(have, goal, 1.8))
        if len(keys) < frames:                         # what a player shows between the keys
            byb = {c['bone']: c for c in vals}
            for i in range(len(keys) - 1):
                for f in range(keys[i], keys[i + 1]):
                    u = (f - keys[i]) / (keys[i + 1] - keys[i])
                    r = [slerp(unit(byb[4 + j]['rotation'][i]), unit(byb[4 + j]['rotation'][i + 1]), u) if 4 + j in byb else (1.0, 0, 0, 0) for j in range(len(b.name))]
                    mv = [[byb[3]['translation'][k][0], byb[3]['translation'][k][1], byb[4]['translation'][k][2]] for k in (i, i + 1)]
                    dense.append(positions(r, [x + (y - x) * u for x, y in zip(*mv)])); dgoal.append(want[f])
            dev['all_frames'] = deviation(dense, dgoal, 1.8)
        clips.append(dict(index=n, name=name, type=0 if kind == 'arrays' else 2, keys=kind, frame_count=frames, key_frames=keys, capture_start=start,
                          deviation_percent=dev, frames=rec))
    save_json(folder, dict(format='metroid-anim', game='mp1', inputs=names, skeleton=code + '.CINF', interval=MP.f32(1 / 30), figure_height=1.8,
                           joints=[x[3] for x in bones], joint_ids=[x[0] for x in bones], clips=clips))
    return clips, len(bones)


# ------------------------------------------------------------------ RLF
def make_rlf(b, folder, code, start, frames=40, side=0.0):
    w, h = 320, 200
    back = []
    for y in range(h):
        if y < 150:
            c = RL.rgb(2 + y * 6 // 150, 5 + y * 10 // 150, 14 + y * 12 // 150)
            back += [c] * w
        else:
            k = y - 150
            back += [RL.rgb(11 - k // 8, 9 - k // 10, 5)] * w
    poses = b.clip(start, frames, 15)
    view = axis(1, side)
    P = [[turn(view, p) for p in pose[0]] for pose in poses]
    lo = [min(p[k] for f in P for p in f) for k in range(3)]
    hi = [max(p[k] for f in P for p in f) for k in range(3)]
    zoom = min(280 / (hi[0] - lo[0]), 165 / (hi[1] - lo[1]))
    mx, my = (lo[0] + hi[0]) / 2, lo[1]
    thick = max(2.2, b.height * zoom / 34)
    pics = []
    for f in P:
        px = list(back)
        S = [(160 + (p[0] - mx) * zoom, 182 - (p[1] - my) * zoom, p[2]) for p in f]

        def capsule(a, c, r, colour):
            x0, x1 = max(0, int(min(a[0], c[0]) - r)), min(w - 1, int(max(a[0], c[0]) + r) + 1)
            y0, y1 = max(0, int(min(a[1], c[1]) - r)), min(h - 1, int(max(a[1], c[1]) + r) + 1)
            dx, dy = c[0] - a[0], c[1] - a[1]
            n = dx * dx + dy * dy
            for y in range(y0, y1 + 1):
                for x in range(x0, x1 + 1):
                    u = ((x - a[0]) * dx + (y - a[1]) * dy) / n if n > 0 else 0
                    u = 0 if u < 0 else 1 if u > 1 else u
                    ex, ey = x - a[0] - u * dx, y - a[1] - u * dy
                    d = ex * ex + ey * ey
                    if d <= r * r:
                        s = 6 + int(2.99 * (1 - d / (r * r)))
                        px[y * w + x] = RL.rgb(min(31, colour[0] * s // 8), min(31, colour[1] * s // 8), min(31, colour[2] * s // 8))
        cx = sum(s[0] for s in S) / len(S)
        for y in range(178, 188):                      # shadow
            half = int(34 * math.sqrt(max(0, 1 - ((y - 183) / 5) ** 2)))
            for x in range(max(0, int(cx) - half), min(w, int(cx) + half)):
                px[y * w + x] = RL.rgb(4, 3, 2)
        limbs = sorted((j for j, p in enumerate(b.parent) if p >= 0), key=lambda j: S[j][2] + S[b.parent[j]][2])
        for j in limbs:
            left, right = b.name[j].startswith('L'), b.name[j].startswith('R')
            colour = (26, 12, 9) if left else (9, 20, 28) if right else (27, 25, 12)
            head = b.name[j].startswith('Head') or b.name[j].startswith('Neck')
            capsule(S[b.parent[j]], S[j], thick * (1.5 if head else 1.0), colour)
        pics.append(px)
    data, types = RL.encode(pics, w, h, keys=(0, frames // 2), time=666)
    save(folder, code + '.rlf', data)
    save_json(folder, dict(format='rlf', file=code + '.rlf', rate=[10000, 666], capture_start=start, dump=RL.dump(w, h, pics, types, 666)))
    return pics, len(data)


CAPTURES = [('cmu_01_01', '01_01.bvh', 'ma', [1.0, 4.2, 7.4, 11.0, 15.2, 19.5], 0.0),
            ('cmu_01_03', '01_03.bvh', 'mb', [2.0, 7.0, 12.0, 19.0, 26.0, 33.0], 35.0),
            ('boxing_toes', 'Boxing_Toes.bvh', 'mc', [0.5, 4.0, 9.0, 14.0, 19.5, 26.0], 0.0)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    source, wanted = sys.argv[1], sys.argv[2:] or ['cmu_01_01', 'cmu_01_03']
    for folder, bvh, code, starts, side in (capture for capture in CAPTURES if capture[0] in wanted):
        b = Bvh(os.path.join(source, bvh))
        d = {}
        for fmt in ('ff7', 'ff9', 'metroid', 'rlf'):
            d[fmt] = os.path.join(HERE, folder, fmt)
            os.makedirs(d[fmt], exist_ok=True)
        print(folder, len(b.name), 'joints with ends,', len(b.rows), 'frames, height', round(b.height, 2))
        c, n = make_ff7(b, d['ff7'], code, [(s, f, k) for s, f, k in zip(starts, (22, 24, 20, 24, 18, 24), (0, 4, 2, 0, 4, 2))])
        print('  ff7', n, 'bones', [(x['index'], x.get('key'), len(x['frames']), x.get('deviation_percent')) for x in c])
        c, n = make_ff9(b, d['ff9'], code, [(s, f) for s, f in zip(starts, (40, 41, 38, 45))])
        print('  ff9', n, 'bones', [(x['name'], len(x['frames']), x['deviation_percent']) for x in c])
        c, n = make_metroid(b, d['metroid'], code, list(zip(starts, (40, 45, 47, 36, 30), ('every', 'adaptive', 'second', 'every', 'arrays'))))
        print('  metroid', n, 'bones', [(x['name'], x['keys'], x['frame_count'], len(x['frames']), x['deviation_percent']) for x in c])
        pics, size = make_rlf(b, d['rlf'], code, starts[1], 40, side)
        print('  rlf', size, 'bytes')
        if os.environ.get('PREVIEW'):
            with open(os.path.join(os.environ['PREVIEW'], code + '.ppm'), 'wb') as f:
                f.write(b'P6 960 400 255\n')
                rows = []
                for half in (0, 1):
                    for y in range(200):
                        for k in (0, 8, 16) if half == 0 else (24, 32, 39):
                            for p in pics[k][y * 320:(y + 1) * 320]:
                                rows.append(bytes([(p >> 10 & 31) * 255 // 31, (p >> 5 & 31) * 255 // 31, (p & 31) * 255 // 31]))
                f.write(b''.join(rows))


if __name__ == '__main__':
    main()
