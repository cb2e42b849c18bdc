#!/usr/bin/env python3
"""Outputs are the same bytes wherever the command runs: locales, time zones, masks of rights, folders.

    REANIMA=build/release/reanima tests/tools/places_test.py
"""
import os, shutil, subprocess, unittest

from support import Case, SANITIZED, read, run, sample, write

# Numbers with a comma and dots between thousands; an i whose capital letter has a dot.
LOCALES = 'de_DE', 'tr_TR'

# Does what a host does that follows its user: the library must not depend on it.
SHIM = """
#include <locale.h>
#include <stdlib.h>
__attribute__((constructor)) static void follow(void) {
    if (!setlocale(LC_ALL, "") || localeconv()->decimal_point[0] != ',')
        abort();
}
"""


def can_make_locales():
    return bool(shutil.which('localedef') and shutil.which('cc')) and os.path.isdir('/usr/share/i18n/locales')


class Places(Case):
    def made(self, env=None, preexec=None, folder='out'):
        """-> the files that some runs write into a folder, and their printed texts, by name"""
        os.makedirs(self.path(folder))
        printed = {}
        for name, args in (('glb', ('convert', sample('ff7', 'hrda'), '-o', 'x.glb', '--proxy-mesh')),
                           ('gltf', ('convert', sample('archives', 'hero.pak') + ':Hero.ANCS', '-o', 'x.gltf')),
                           ('dump', ('dump', sample('ff7', 'doll_idle.a'), '-o', 'x.json')),
                           ('frames', ('frames', sample('rlf', 'wheel.rlf'), '--frames', '0-2', '-o', 'frames/')),
                           ('info', ('info', '--json', sample('ff7', 'hrda'))),
                           ('text', ('info', sample('ff7', 'doll.hrc'))),
                           ('encode', ('encode', 'x.json', '-o', 'made.a'))):
            p = self.check(run(*args, cwd=self.path(folder), env=env, preexec=preexec), 0)
            printed[name] = p.stdout, p.err
        files = {os.path.relpath(os.path.join(d, f), self.path(folder)): read(os.path.join(d, f))
                 for d, _, names in os.walk(self.path(folder)) for f in names}
        self.assertGreater(len(files), 6)
        self.assertEqual(files['made.a'], read(sample('ff7', 'doll_idle.a')))
        return files, printed

    def setUp(self):
        super().setUp()
        self.expected = self.made(env={'LC_ALL': 'C', 'TZ': 'UTC'}, folder='plain')

    def same(self, **where):
        made = self.made(**where)
        self.assertEqual(sorted(made[0]), sorted(self.expected[0]))
        for name in made[0]:
            self.assertTrue(made[0][name] == self.expected[0][name], name)
        self.assertEqual(made[1], self.expected[1])

    @unittest.skipUnless(can_make_locales(), 'no localedef, no locales or no compiler')
    def test_locales(self):
        for locale in LOCALES:
            subprocess.run(['localedef', '-i', locale, '-f', 'UTF-8', self.path(locale + '.UTF-8')], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        write(self.path('shim.c'), SHIM)
        subprocess.run(['cc', '-shared', '-fPIC', '-o', self.path('shim.so'), self.path('shim.c')], check=True)
        for locale in LOCALES:
            where = {'LOCPATH': self.folder, 'LC_ALL': locale + '.UTF-8', 'LANG': locale + '.UTF-8'}
            with self.subTest(locale):
                self.same(env=where, folder=locale + '_out')
            if not SANITIZED:                     # its runtime must be loaded first
                with self.subTest(locale + ' followed'):
                    self.same(env=dict(where, LD_PRELOAD=self.path('shim.so')), folder=locale + '_followed')

    def test_time_zones(self):
        for i, zone in enumerate(('Asia/Kathmandu', 'XYZ-14', 'nonsense')):
            with self.subTest(zone):
                self.same(env={'TZ': zone}, folder='zone%d' % i)

    @unittest.skipIf(os.name == 'nt', 'no masks of rights')
    def test_masks_of_rights(self):
        for mask in (0, 0o077):
            with self.subTest(mask):
                self.same(preexec=lambda: os.umask(mask), folder='mask%o' % mask)

    def test_folders(self):
        for name in ('a b', 'täglich İı', os.path.join(*['deep'] * 20)):
            with self.subTest(name):
                self.same(folder=name)


if __name__ == '__main__':
    unittest.main()
