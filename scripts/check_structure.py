#!/usr/bin/env python3
"""Checks the includes: no folder includes one that is above it, headers do not include each other in circles, and public
headers only include headers that are installed with them.

  check_structure.py [SOURCE]      checks the tree; exit status 1 and a line per violation
  check_structure.py --self-test   checks that planted violations are found
"""
import re
import sys
import tempfile
from pathlib import Path

# Every folder from the bottom up, and the other folders that its files may include. A folder is the longest
# entry that is a prefix of a path; `*` means any other folder. No folder includes one that comes after it in this list.
ARROWS = {
    'core': [],
    'json': ['core'],
    'pictures': ['core'],
    'formats': ['core', 'json', 'pictures'],
    'formats/psx': ['core', 'json', 'pictures', 'formats'],  # shared by games of this console
    'formats/*': ['core', 'json', 'pictures', 'formats', 'formats/psx'],  # a game's folder
    'binding/motion': ['core'],
    'binding/roles': ['core', 'json', 'binding/motion'],
    'binding': ['core', 'json', 'binding/motion', 'binding/roles'],
    'archives': ['core', 'formats', 'formats/ff9'],
    'pipeline': ['core', 'json', 'binding', 'binding/motion', 'binding/roles', 'formats', 'archives'],
    'gltf_export': ['core', 'json', 'pictures'],
    'importers': ['core', 'pictures', 'binding', 'binding/motion', 'formats', 'archives', 'pipeline', 'gltf_export'],
    'measures': ['core', 'binding/roles'],
    'drawing': ['core', 'json', 'pictures', 'binding/roles', 'formats', 'gltf_export'],
    'tools/reanima/system': ['core', 'formats', 'archives'],
    'tools/reanima/front': ['core', 'json', 'binding/roles', 'formats', 'archives', 'pipeline', 'gltf_export',
                            'tools/reanima/system'],
    'tools/reanima/jobs': ['core', 'json', 'pictures', 'binding/roles', 'formats', 'archives', 'pipeline', 'gltf_export',
                           'measures', 'tools/reanima/system', 'tools/reanima/front'],
    'tools/reanima/verbs': ['core', 'json', 'pictures', 'binding/roles', 'formats', 'archives', 'pipeline',
                            'gltf_export', 'measures', 'drawing', 'tools/reanima/system', 'tools/reanima/front',
                            'tools/reanima/jobs'],
    'tools/reanima': ['core', 'tools/reanima/system', 'tools/reanima/verbs'],
    'include': ['core', 'pictures', 'binding', 'binding/motion', 'binding/roles', 'formats', 'archives', 'pipeline',
                'gltf_export', 'importers', 'measures', 'drawing'],
}
# Headers that only these folders may include.
HOSTS = {
    'assimp/': ['importers'],
    'tiny_gltf': ['gltf_export'],
    'rapidjson/': ['gltf_export'],
    'CLI/': ['tools/reanima/front'],
    'stb/': ['pictures'],
    'cairo': ['pictures'],
    'fontconfig/': ['pictures'],
}
# The largest number of floors in each folder of the command. A file is one floor above the highest file that it
# includes from its folder.
FLOORS = {'tools/reanima/': 6}

# Libraries that building this project needs, but not its users.
BUILT_WITH = ('tiny_gltf', 'rapidjson/', 'fmt/', 'nlohmann/', 'png', 'zlib', 'bzlib', 'lzma', 'zstd', 'lz4', 'FLAC/', 'libdeflate', 'xxhash', 'CLI/', 'cairo')

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def folder_of(path):
    found = [f for f in ARROWS if path.startswith(f + '/')]
    if not found:
        return None
    folder = max(found, key=len)
    inner = path[len(folder) + 1:].split('/')[:-1]
    return f'{folder}/{inner[0]}' if inner and folder + '/*' in ARROWS else folder


def allowed_from(folder):
    return ARROWS.get(folder) or ARROWS.get(folder.rpartition('/')[0] + '/*', [])


def floors_of(graph, folder):
    """The files of a folder by floor; a header and its source share a floor."""
    unit = lambda path: path.rpartition('.')[0]
    units = {}
    for path, targets in graph.items():
        if path.rpartition('/')[0] == folder:
            below = units.setdefault(unit(path), set())
            below |= {unit(t) for t in targets if t.rpartition('/')[0] == folder} - {unit(path)}
    floors = {}

    def floor_of(name, way=()):
        if name not in floors and name not in way:
            floors[name] = 1 + max((floor_of(other, (*way, name)) for other in units.get(name, ())), default=0)
        return floors.get(name, 0)

    for name in sorted(units):
        floor_of(name)
    return floors


def too_many_floors(graph):
    problems = []
    for top, most in FLOORS.items():
        folders = {path.rpartition('/')[0] for path in graph if path.startswith(top)}
        for folder in sorted(folders):
            high = [name for name, floor in floors_of(graph, folder).items() if floor > most]
            problems += [f'{name}: stands on more than {most} floors of {folder}' for name in sorted(high)]
    return problems


def arrows_up():
    """Rows of the table that allow a folder above their own."""
    order = {folder: number for number, folder in enumerate(ARROWS)}
    return [f'{folder}: the table lets it include {other}, which stands above' for folder, others in ARROWS.items()
            for other in others if order.get(other, order.get(other.rpartition('/')[0] + '/*', -1)) > order[folder]]


def resolved(path, name, files):
    """The file of the tree that an include of `path` refers to, or None."""
    parts = []
    for part in [*path.split('/')[:-1], *name.split('/')]:
        if part == '..' and parts:
            parts.pop()
        elif part not in ('.', '..'):
            parts.append(part)
    for candidate in ('/'.join(parts), name):
        if candidate in files:
            return candidate
    return None


def circle_in(graph):
    """A circle of includes as a list of paths, or None."""
    state = {}

    def visit(node, way):
        state[node] = 'open'
        for other in graph.get(node, []):
            if state.get(other) == 'open':
                return [*way[way.index(other):], other]
            if other not in state:
                found = visit(other, [*way, other])
                if found:
                    return found
        state[node] = 'done'
        return None

    for node in sorted(graph):
        if node not in state:
            found = visit(node, [node])
            if found:
                return found
    return None


def private_includes(source, files, graph):
    """Includes of public headers that are not installed with them, or that belong to private dependencies."""
    listing = source / 'cmake/PublicHeaders.cmake'
    if not listing.is_file():
        return []
    public = set(re.findall(r'^\s+([\w/]+\.h)\b', listing.read_text(), re.MULTILINE))
    problems = [f'{listing.name}: {header} is not a file of the tree' for header in sorted(public - set(files))]
    for header in sorted(public & set(files)):
        for bracket, name in INCLUDE.findall(files[header]):
            if bracket == '<' and name.startswith(BUILT_WITH):
                problems.append(f'{header}: is public, but includes <{name}>')
            elif bracket == '"' and '/' in name and not name.startswith('..') and name.split('/')[0] in ARROWS:
                problems.append(f'{header}: is public, but includes "{name}" by a path from the root')
        for target in graph.get(header, []):
            if target not in public:
                problems.append(f'{header}: is public, but includes {target}, which is not')
    for header in sorted(f for f in files if f.startswith('include/')):
        for target in graph.get(header, []):
            if target not in public:
                problems.append(f'{header}: includes {target}, which is not public')
    return problems


def violations(source):
    files = {}
    for top in sorted({f.split('/')[0] for f in ARROWS}):
        for path in sorted((source / top).rglob('*')):
            if path.suffix in ('.h', '.cpp') and path.is_file():
                files[path.relative_to(source).as_posix()] = path.read_text(encoding='utf-8')
    problems = []
    graph = {}
    for path, text in files.items():
        own = folder_of(path)
        if 'fmt::join' in text and '<fmt/ranges.h>' not in text:
            problems.append(f'{path}: uses fmt::join, so it must include <fmt/ranges.h> (fmt 11)')
        for bracket, name in INCLUDE.findall(text):
            if bracket == '<':
                for host, allowed in HOSTS.items():
                    if name.startswith(host) and own not in allowed:
                        problems.append(f'{path}: includes <{name}>, which only {", ".join(allowed)} may')
                continue
            target = resolved(path, name, files)
            if target is None:
                problems.append(f'{path}: includes "{name}", which is not a file of the tree')
                continue
            graph.setdefault(path, []).append(target)
            other = folder_of(target)
            if other != own and other not in allowed_from(own):
                problems.append(f'{path}: includes {target}, but {own} may not include {other}')
    problems += arrows_up() + too_many_floors(graph) + private_includes(source, files, graph)
    circle = circle_in(graph)
    if circle:
        problems.append('circle: ' + ' -> '.join(circle))
    return problems


def self_test():
    planted = {
        'core/clip.h': ('#include "../formats/load.h"\n', 'core may not include formats'),
        'formats/ff7/a.cpp': ('#include "formats/ff9/b.h"\n', 'formats/ff7 may not include formats/ff9'),
        'formats/registry.cpp': ('#include "formats/ff9/b.h"\n', 'formats may not include formats/ff9'),
        'pipeline/b.h': ('#include "a.h"\n', 'circle: pipeline/a.h -> pipeline/b.h -> pipeline/a.h'),
        'json/json.h': ('#include <assimp/scene.h>\n', 'which only importers may'),
        'binding/bind_plan.h': ('#include "map.h"\n', 'is public, but includes binding/map.h, which is not'),
        'core/pose.h': ('#include <fmt/format.h>\n', 'core/pose.h: is public, but includes <fmt/format.h>'),
        'json/csv.cpp': ('fmt::join', 'json/csv.cpp: uses fmt::join'),
        'tools/reanima/main.cpp': ('#include "gone.h"\n', 'which is not a file of the tree'),
        'tools/reanima/verbs/f7.h': ('#include "f6.h"\n', 'f7: stands on more than 6 floors'),
    }
    sound = {'cmake/PublicHeaders.cmake': 'set(X\n    binding/bind_plan.h\n    core/pose.h)\n',
             'binding/bind_plan.h': '', 'binding/map.h': '', 'core/pose.h': '', 'formats/load.h': '',
             'formats/ff9/b.h': '#include "../load.h"\n', 'pipeline/b.h': '', 'pipeline/a.h': '#include "b.h"\n',
             'core/clip.h': '', 'formats/registry.cpp': '', 'tools/reanima/verbs/f1.h': ''}
    sound |= {f'tools/reanima/verbs/f{i}.h': f'#include "f{i - 1}.h"\n' for i in range(2, 7)}
    for path, (text, expected) in planted.items():
        with tempfile.TemporaryDirectory() as name:
            source = Path(name)
            for file, content in sound.items():
                (source / file).parent.mkdir(parents=True, exist_ok=True)
                (source / file).write_text(content)
            if violations(source):
                return f'a sound tree is refused: {violations(source)}'
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_text(text)
            found = violations(source)
            if len(found) != 1 or expected not in found[0]:
                return f'{path}: expected "{expected}", found {found}'
    return None


def main(arguments):
    if arguments == ['--self-test']:
        problem = self_test()
        print(problem or 'planted violations are found')
        return 1 if problem else 0
    source = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    problems = violations(source)
    print('\n'.join(problems) or 'no include points back')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
