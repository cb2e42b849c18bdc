#!/usr/bin/env python3
"""The samples of pipelines: a second run does nothing, and one changed file causes one job."""
import json, os, shutil, subprocess, time, unittest

from support import Case, SOURCE, Scene, TOOL, read, sample, write


class Pipeline(Case):
    def setUp(self):
        super().setUp()
        for folder in ('ff7', 'ff9', 'rlf', 'pipeline'):
            shutil.copytree(sample(folder), self.path('samples', folder))

    def call(self, *command, code=0):
        p = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           env=dict(os.environ, REANIMA=TOOL, USER=os.environ.get('USER', 'nobody'), HOME=self.folder, XDG_CACHE_HOME=self.path('cache')))
        self.assertEqual(p.returncode, code, p.stdout)
        return p.stdout

    def touch(self, *parts):
        later = time.time() + 2
        os.utime(self.path(*parts), (later, later))
        time.sleep(max(0.0, later - time.time()))          # what is made now is newer


class CMake(Pipeline):
    def build(self):
        """-> the inputs that were converted"""
        return sorted(os.path.basename(line.split('Converting ')[1]) for line in self.call('cmake', '--build', 'build').splitlines() if 'Converting ' in line)

    def expect_updates(self, generator):
        if not shutil.which({'Ninja': 'ninja', 'Unix Makefiles': 'make'}[generator]):
            self.skipTest(generator + ' is not installed')
        shutil.copytree(os.path.join(SOURCE, 'cmake'), self.path('cmake'))
        shutil.copy(sample('ff7', 'hrda'), write(self.path('samples', 'ff7', 'a b.da'), ''))
        self.call('cmake', '-S', 'samples/pipeline', '-B', 'build', '-G', generator, '-DREANIMA_PROGRAM=' + TOOL,
                  '-DINPUTS=../ff7/hrda;hero.reanima.json;../rlf/wheel.rlf;../ff7/a b.da')
        self.assertEqual(self.build(), ['a b.da', 'hero.reanima.json', 'hrda', 'wheel.rlf'])
        self.assertEqual(sorted(os.listdir(self.path('build', 'glb'))), ['a b.glb', 'hero.glb', 'hrda.glb', 'wheel.glb'])
        self.assertEqual([a['name'] for a in Scene(read(self.path('build', 'glb', 'hero.glb'))).g['animations']], ['idle', 'walk', 'attack', 'spin'])
        self.assertEqual(self.build(), [])
        for name, converted in (('rlf/wheel.rlf', ['wheel.rlf']), ('ff7/a b.da', ['a b.da']), ('ff7/hero.names.csv', ['hero.reanima.json']),
                                ('ff7/hraa', ['hero.reanima.json', 'hrda'])):       # the skeleton was found beside hrda: only the depfile says so
            self.touch('samples', name)
            self.assertEqual(self.build(), converted, name)
            self.assertEqual(self.build(), [], name)

    def expect_models(self, generator):
        """a file that contains several models: after a change, other outputs are made, and no rule remains for the old
        ones"""
        if not shutil.which({'Ninja': 'ninja', 'Unix Makefiles': 'make'}[generator]):
            self.skipTest(generator + ' is not installed')
        shutil.copytree(os.path.join(SOURCE, 'cmake'), self.path('cmake'))
        job = dict(schema=1, inputs=['a b.ff9db'], output='several/')
        write(self.path('samples', 'ff9', 'job.reanima.json'), json.dumps(job))
        several, one = read(sample('ff9', 'props.ff9db')), read(sample('ff9', 'hero.ff9db'))
        write(self.path('samples', 'ff9', 'a b.ff9db'), several)
        self.call('cmake', '-S', 'samples/pipeline', '-B', 'build', '-G', generator, '-DREANIMA_PROGRAM=' + TOOL, '-DINPUTS=../ff9/props.ff9db;../ff9/job.reanima.json;../ff7/hrda')
        self.assertEqual(self.build(), ['hrda', 'job.reanima.json', 'props.ff9db'])
        made = lambda: sorted(os.listdir(self.path('build', 'glb')))
        self.assertEqual(made(), ['a b_2000.glb', 'a b_2010.glb', 'hrda.glb', 'props_2000.glb', 'props_2010.glb'])
        self.assertEqual(self.build(), [])
        for name, converted, outputs in (('props', 'props.ff9db', ['props.glb']), ('a b', 'job.reanima.json', ['a b.glb'])):
            for data, expected in ((one, outputs), (several, [name + '_2000.glb', name + '_2010.glb'])):
                for old in made():
                    if old.startswith(name):
                        os.remove(self.path('build', 'glb', old))
                write(self.path('samples', 'ff9', name + '.ff9db'), data)
                self.touch('samples', 'ff9', name + '.ff9db')
                self.assertEqual(self.build(), [converted])
                self.assertEqual([f for f in made() if f.startswith(name)], expected)
                self.assertEqual(self.build(), [])

    def test_ninja_and_models(self):
        self.expect_models('Ninja')

    def test_make_and_models(self):
        self.expect_models('Unix Makefiles')

    def test_ninja(self):
        self.expect_updates('Ninja')

    def test_make(self):
        self.expect_updates('Unix Makefiles')


@unittest.skipUnless(shutil.which('snakemake'), 'snakemake is not installed')
class Snakemake(Pipeline):
    def snakemake(self, *options, code=0):
        """-> the number of conversions"""
        return self.call('snakemake', '-s', 'samples/pipeline/Snakefile', '-j', '2', '--nocolor', *options, code=code).count('rule convert:')

    def change_skeleton(self):
        data = bytearray(read(self.path('samples', 'ff7', 'hraa')))
        data[-4] ^= 1                                      # Snakemake compares the content of small files, too
        write(self.path('samples', 'ff7', 'hraa'), data)
        self.touch('samples', 'ff7', 'hraa')

    def test_updates(self):
        shutil.copy(sample('ff7', 'hrda'), self.path('samples', 'ff7', 'nnda'))     # has no skeleton
        self.assertEqual(self.snakemake(), 2)
        self.assertEqual(sorted(os.listdir(self.path('glb'))), ['hrda.glb', 'nnda.glb'])
        reference = subprocess.run([TOOL, 'convert', sample('ff7', 'hrda'), '--no-mesh', '-q', '-o', '-'], stdout=subprocess.PIPE).stdout
        self.assertEqual(Scene(read(self.path('glb', 'hrda.glb'))).blob, Scene(reference).blob)
        self.assertEqual(self.snakemake(), 0)
        self.change_skeleton()
        self.assertEqual(self.snakemake(), 1)
        self.assertEqual(self.snakemake(), 0)

    def test_slurm(self):
        """Needs a folder for temporary files (TMPDIR) on all nodes."""
        if not shutil.which('scontrol') or subprocess.run(['scontrol', 'ping'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            self.skipTest('no Slurm controller answers')
        single = ('--slurm', '--keep-going', '--max-status-checks-per-second', '1')
        shutil.copy(sample('ff7', 'hrda'), self.path('samples', 'ff7', 'nnda'))
        self.assertEqual(self.snakemake(), 2)
        for options in (single, (*single, '--cores', '1', '--group-components', 'convert=200')):
            shutil.rmtree(self.path('local'), ignore_errors=True)
            os.rename(self.path('glb'), self.path('local'))
            self.assertEqual(self.snakemake(*options), 2)
            for name in ('hrda.glb', 'nnda.glb'):
                self.assertEqual(read(self.path('glb', name)), read(self.path('local', name)), name)
            self.assertEqual(self.snakemake(*options), 0)
        self.change_skeleton()
        self.assertEqual(self.snakemake(*single), 1)
        write(self.path('samples', 'ff7', 'bada'), read(sample('ff7', 'hrda'))[:30])
        self.change_skeleton()
        self.snakemake(*single, code=1)                    # converts hrda all the same
        self.assertEqual(sorted(os.listdir(self.path('glb'))), ['hrda.glb', 'nnda.glb'])
        self.assertEqual(read(self.path('glb', 'hrda.glb')), read(self.path('local', 'hrda.glb')))


if __name__ == '__main__':
    unittest.main()
