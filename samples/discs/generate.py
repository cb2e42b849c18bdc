#!/usr/bin/env python3
"""Makes small images of discs and archives of Final Fantasy VIII from the other samples (../discs.py). The bytes are the same every time.

    python3 generate.py
"""
import importlib.util, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..'))
import discs                                      # noqa: E402
from writing import write_files                   # noqa: E402


def sample(*parts):
    with open(os.path.join(HERE, '..', *parts), 'rb') as f:
        return f.read()


def of_archives():
    """The generator of samples/archives"""
    spec = importlib.util.spec_from_file_location('of_archives', os.path.join(HERE, '..', 'archives', 'generate.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    archives = of_archives()
    other = {'A.TXT': b'hello', 'SUB/B.BIN': bytes(range(256))}
    cd = discs.iso({'FF9.IMG': archives.img([[], [(300, sample('ff9', 'props.ff9db'))]]), **other})
    anims = [(0x5EED0010 + i, name, 0xFFFFFFFF) for i, name in enumerate((b'idle', b'spin', b'pose'))]
    resources = [(b'ANCS', 0x5EED0002, archives.ancs(b'hero', 0x5EED0003, anims)), (b'CINF', 0x5EED0003, sample('metroid', 'hero.CINF'))]
    resources += [(b'ANIM', i, sample('metroid', 'hero_%s.ANIM' % name.decode())) for i, name, _ in anims]
    prime = discs.gamecube({'Metroid1.pak': archives.pak([(b'ANCS', 0x5EED0002, b'Hero')], resources), **{name.lower(): data for name, data in other.items()}}, first=0x600, table_at=0x500)
    battle = dict(zip(('battle.fs', 'battle.fi', 'battle.fl'), discs.fs({'c0m901.dat': sample('ff8', 'c0m901.dat')}, 2)))
    write_files(HERE, {
        'disc.iso': cd, 'disc.bin': discs.sectors(cd), 'disc.cue': b'FILE "disc.bin" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n',
        'disc.chd': discs.packed_chd(cd, 'cdlz'),
        'prime.iso': prime, 'prime.rvz': discs.wia(prime), 'prime.wia': discs.wia(prime, 'lzma', 0x200000, False), 'prime.gcz': discs.gcz(prime), 'prime.ciso': discs.ciso(prime),
        **battle, 'main.zzz': discs.zzz({'data\\lang-en\\' + name: data for name, data in battle.items()})})


if __name__ == '__main__':
    main()
