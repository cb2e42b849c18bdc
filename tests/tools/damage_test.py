"""Archives with a few damaged fields in their entries: every character that uses none of these entries gives the same
bytes as from the undamaged archive.

The entries that a character uses are found by trial: a whole entry is overwritten, and the characters that change use
it. In the long mode (REANIMA_LONG=1) each kind of archive is damaged 2,500 times, or REANIMA_DAMAGES times."""
import importlib.util, os, random, shutil, unittest

from support import Case, run, sample, read, write
import writers                                    # by the description of the formats

TIMES = int(os.environ.get('REANIMA_DAMAGES') or (2500 if os.environ.get('REANIMA_LONG') else 6))
SPECIAL = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def lgp():
    """Three battle characters and a field character"""
    files = [(who + part, '', read(sample('ff7', 'hr' + part))) for who in ('ha', 'hr', 'rt') for part in ('aa', 'ac', 'am', 'an', 'da')]
    files += [(name, '', read(sample('ff7', name))) for name in ('doll.hrc', 'doll_walk.a', 'dlab.rsd', 'dlab.p', 'dlac.rsd', 'dlac.p', 'dlta.tex')]
    data, rows = writers.lgp(files)
    return data, [(at + 24, len(content)) for _, _, content, at in rows]


def img():
    """Three containers with several characters, in two kinds of folders"""
    hero, props = read(sample('ff9', 'hero.ff9db')), read(sample('ff9', 'props.ff9db'))
    data, rows = writers.img([(2, [(300, 0xFFFF, props), (301, 0xFFFF, hero)]), (3, [hero, None, props])])
    return data, [(at, len(content)) for folder in rows.values() for _, at, content in folder]


def pak():
    """Two characters with their own skeletons, meshes, textures and animations, packed in both ways"""
    spec = importlib.util.spec_from_file_location('generate_archives', sample('archives', 'generate.py'))
    sample_archives = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sample_archives)
    anims = [(0x5EED0010, b'idle', 0xFFFFFFFF), (0x5EED0011, b'walk', 0x5EED0001)]
    own = [('ANCS', 0x5EED0002, sample_archives.ancs(b'hero', 0x5EED0003, anims))]
    for kind, i, name in (('CINF', 0x5EED0003, 'hero.CINF'), ('EVNT', 0x5EED0001, 'hero_walk.EVNT'), ('CMDL', 0x5EED00A1, 'hero.CMDL'), ('CSKR', 0x5EED00A2, 'hero.CSKR'),
                          ('TXTR', 0x5EED0111, '5EED0111.TXTR'), ('TXTR', 0x5EED0112, '5EED0112.TXTR'), ('TXTR', 0x5EED0113, '5EED0113.TXTR'),
                          ('ANIM', 0x5EED0010, 'hero_idle.ANIM'), ('ANIM', 0x5EED0011, 'hero_walk.ANIM')):
        own.append((kind, i, read(sample('metroid', name))))
    # The other character has different ids, here and in all files that refer to the first one's ids.
    other = [(kind, i + 0x10000, data.replace(b'\x5E\xED', b'\x5E\xEE')) for kind, i, data in own]
    resources = [(kind, i, data, kind != 'ANIM') for kind, i, data in own + other]
    data, rows = writers.pak([('ANCS', 0x5EED0002, 'Hero'), ('ANCS', 0x5EEE0002, 'Other')], resources)
    return data, [(at, size) for _, _, _, at, size in rows]


def zfs():
    """Three videos, enciphered"""
    files = [(name, i, 0, read(sample('rlf', name))) for i, name in enumerate(('gate.rlf', 'hallw.rlf', 'wheel.rlf'))]
    data, rows = writers.zfs(files, key=b'\x12\x34\x56\x78', per_block=2)
    return data, [(at, len(content)) for _, _, content, at in rows]


def damaged(data, rows, rng):
    """-> bytes, the entries that were changed"""
    data, changed = bytearray(data), set()
    for _ in range(rng.randint(1, 8)):
        entry = rng.randrange(len(rows))
        at, size = rows[entry]
        width = rng.choice((1, 2, 4))
        if size < width:
            continue
        near = min(size, 64) if rng.random() < 0.5 else size     # headers are where most fields are
        place = at + rng.randrange(near - width + 1)
        old = int.from_bytes(data[place:place + width], 'little')
        new = rng.choice((rng.choice(SPECIAL), rng.getrandbits(32), old + rng.choice((-1, 1)), old ^ 1 << rng.randrange(8 * width)))
        data[place:place + width] = (new % (1 << 8 * width)).to_bytes(width, rng.choice(('little', 'big')))
        changed.add(entry)
    return bytes(data), changed


class Damage(Case):
    def converted(self, name, data):
        """the outputs from an archive with these bytes"""
        write(self.path(name), data)
        shutil.rmtree(self.path('out'), ignore_errors=True)
        p = run('convert', name, '-o', 'out/', '-q', '--limit-memory', 400, cwd=self.folder)
        self.assertIn(p.returncode, (0, 1, 3), p.err[-2000:])
        self.assertNotIn('runtime error', p.err)
        return {f: read(self.path(f)) for f in self.files() if f.startswith('out/')}

    def try_kind(self, name, data, rows, least):
        whole = self.converted(name, data)
        self.assertGreaterEqual(len(whole), least)
        users = []
        for at, size in rows:
            used = set()
            for filling in (bytes(size), random.Random(at).randbytes(size)):
                left = self.converted(name, data[:at] + filling + data[at + size:])
                used |= {f for f in whole if left.get(f) != whole[f]}
            users.append(used)
        self.assertTrue(any(users))
        self.assertTrue(all(len(used) < len(whole) for used in users), 'an entry that everything uses tells nothing')
        compared = affects = 0
        for number in range(TIMES):
            rng = random.Random('%s %d' % (name, number))
            bad, changed = damaged(data, rows, rng)
            affected = set().union(*(users[entry] for entry in changed))
            found = self.converted(name, bad)
            affects += any(found.get(file) != whole[file] for file in affected)
            for file in sorted(set(whole) - affected):
                compared += 1
                self.assertEqual(file in found, True, '%s, damage %d: %s is missing' % (name, number, file))
                self.assertEqual(found[file] == whole[file], True, '%s, damage %d: %s differs' % (name, number, file))
        self.assertGreater(compared, 0)
        self.assertGreater(affects, 0, 'no damage was seen at all')
        print('%s: damaged %d times (%d showed), %d sound characters compared' % (name, TIMES, affects, compared))

    def test_lgp(self):
        self.try_kind('battle.lgp', *lgp(), 4)

    def test_img(self):
        self.try_kind('FF9.IMG', *img(), 4)

    def test_pak(self):
        self.try_kind('two.pak', *pak(), 2)

    def test_zfs(self):
        self.try_kind('three.zfs', *zfs(), 3)


if __name__ == '__main__':
    unittest.main()
