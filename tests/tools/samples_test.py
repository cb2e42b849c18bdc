#!/usr/bin/env python3
"""Checks what every format must have besides its code, and compares every sample with what its generator computed.

A generator writes the expected position of every joint of its samples (tests/data/samples/NAME_expected.json, by
samples/writing.py), or which pictures a video has. Here all of them are converted and compared; missing parts are
reported as text, for a format of any game."""
import glob, hashlib, json, math, os, re, unittest

from support import Case, DATA, Scene, formats, read, run, sample, samples

MOST = 9            # times of a clip that are compared
WORST = 1e-5        # of the largest coordinate


def expectations():
    """-> {sample, or sample#model: (what is expected of all, {clip that comes out: its name there})}, and of videos {sample: pictures}"""
    places, pictures = {}, {}
    for path in sorted(glob.glob(os.path.join(DATA, 'samples', '*_expected.json'))):
        told = json.loads(read(path))
        if 'joints' in told:
            places.update((name, (told, clips)) for name, clips in told['inputs'].items())
        else:
            folder = os.path.basename(path)[:-len('_expected.json')]
            pictures.update((f'{folder}/{name}', hashes) for name, hashes in told.items())
    return places, pictures


def some(frames):
    """No more than MOST of them, including the first and the last one"""
    return [frames[i * (len(frames) - 1) // (MOST - 1)] for i in range(MOST)] if len(frames) > MOST else frames


def needed(path, info):
    """The expected names of a sample's positions"""
    models = info.get('models') or []
    if len(models) > 1:
        return [f'{path}#{model["id"]}' for model in models]
    return [path] if info.get('joints') else []


class Samples(Case):
    def clips_of(self, name, expected, clips):
        """Converts; -> (scene, [(clip of the scene, frames)]); for a skeleton its rest pose"""
        path, _, model = name.partition('#')
        out = self.path('x.glb')
        self.check(run('convert', sample(path), '--scale', 1, *(('--model', model) if model else ()), '-o', out, '--force', '-q'), 0)
        scene = Scene(read(out))
        if not clips:
            return scene, [({}, [dict(time=0, positions=expected['rest'])])]
        told = {clip['name']: clip for clip in expected['clips']}
        made = [a['name'] for a in scene.g.get('animations', ())]
        self.assertEqual(sorted(made), sorted(clips), f'{name}: clips that come out, and those of the generator')
        return scene, [(scene.animation(i), some(told[clips[clip]]['frames']) + some(told[clips[clip]].get('between', []))) for i, clip in enumerate(made)]

    def faults_of(self, name, expected, clips):
        """Joints whose positions differ from the generator's"""
        scene, moved = self.clips_of(name, expected, clips)
        largest = max(abs(c) for _, frames in moved for frame in frames for p in frame['positions'] for c in p)
        found = []
        for animation, frames in moved:
            for frame in frames:
                at = scene.world(animation, frame['time'])
                worst, joint = max((math.dist(at(joint), p), joint) for joint, p in zip(expected['joints'], frame['positions']))
                if worst > WORST * largest:
                    found.append(f'{name}: {joint} is {worst:.6g} from its place at {frame["time"]:.4f} s')
        return found

    def test_every_joint_is_where_the_generator_says(self):
        places, pictures = expectations()
        found, seen = [], set()
        for path in samples():
            info, = json.loads(self.check(run('info', '--json', sample(path)), 0).stdout)
            seen.add(info['format'])
            for name in needed(path, info):
                if name not in places:
                    found.append(f'{name}: no positions of its joints; let its generator give them to write_expected() of samples/writing.py')
                    continue
                expected, clips = places[name]
                missing = {j['name'].removesuffix('_scale') for j in info['joints']} - set(expected['joints']) if '#' not in name else set()
                found += [f'{name}: no position of the joint {joint}' for joint in sorted(missing)]
                found += self.faults_of(name, expected, clips)
            if info.get('images'):
                found += self.faults_of_pictures(path, pictures)
        found += [f'{row["id"]}: no sample in samples/' for row in formats() if row['id'] not in seen]
        self.assertEqual(found, [])

    def test_the_page_of_samples_has_a_row_for_every_folder(self):
        listed = re.findall(r'^\| `(.*)/` \|', read(sample('README.md')).decode(), re.M)
        self.assertEqual(sorted({path.split('/')[0] for path in samples()} - set(listed)), [])

    def faults_of_pictures(self, path, pictures):
        if path not in pictures:
            return [f'{path}: no hashes of its pictures; let its generator write them']
        shown, told = run('frames', sample(path), '--as', 'raw555', '-o', '-').stdout, pictures[path]
        size = 2 * told['width'] * told['height']
        hashes = [hashlib.sha256(shown[i:i + size]).hexdigest() for i in range(0, len(shown), size)]
        return [] if hashes == told['sha256_raw555'] else [f'{path}: other pictures than its generator drew']

    def test_a_joint_in_another_place_is_noticed(self):
        expected, clips = expectations()[0]['ff7/hrda']
        expected['clips'][0]['frames'][0]['positions'][3][1] += 0.1
        found, = self.faults_of('ff7/hrda', expected, clips)
        self.assertRegex(found, r'^ff7/hrda: bone002 is 0\.\d+ from its place at 0\.0000 s$')


if __name__ == '__main__':
    unittest.main()
