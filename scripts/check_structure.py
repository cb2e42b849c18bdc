#!/usr/bin/env python3
"""Checks which folder includes which: nothing points back, headers include each other without circles, and public
headers need nothing that is not installed with them.

  check_structure.py [SOURCE]      checks the tree; exit status 1 and a line per violation
  check_structure.py --self-test   checks that planted violations are found
"""
import re
import sys
import tempfile
from pathlib import Path

# Every folder, and the folders that its files may include besides its own. A folder is the longest entry that is the
# beginning of a path; `*` stands for any other folder.
ARROWS = {
    'core': [],
    'json': ['core'],
    'pictures': ['core'],
    'binding': ['core', 'json'],
    'importers': ['core', 'json', 'pictures'],
    'importers/*': ['core', 'json', 'pictures', 'importers'],  # a game's
    'archives': ['core', 'importers', 'importers/ff9'],
    'pipeline': ['core', 'json', 'binding', 'importers', 'archives'],
    'gltf_export': ['core', 'json', 'pictures'],
    'importers/assimp': ['core', 'pictures', 'binding', 'importers', 'archives', 'pipeline', 'gltf_export'],
    'tools': ['core', 'json', 'pictures', 'binding', 'importers', 'archives', 'pipeline', 'gltf_export'],
    'include': ['core', 'binding', 'importers', 'importers/assimp', 'archives', 'pipeline', 'gltf_export'],
}
# What only these folders may include of others' headers.
HOSTS = {
    'assimp/': ['importers/assimp'],
    'tiny_gltf': ['gltf_export'],
    'rapidjson/': ['gltf_export'],
    'CLI/': ['tools'],
    'cairo': ['pictures'],
    'fontconfig/': ['pictures'],
}

# What the library is built with and programs that use it need not have.
BUILT_WITH = ('tiny_gltf', 'rapidjson/', 'fmt/', 'nlohmann/', 'png', 'zlib', 'xxhash', 'CLI/', 'cairo')

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


def resolved(path, name, files):
    """The file of the tree that an include of `path` means, or None."""
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
    """What public headers include that is not installed with them, or that only this library is built with."""
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
    problems += private_includes(source, files, graph)
    circle = circle_in(graph)
    if circle:
        problems.append('circle: ' + ' -> '.join(circle))
    return problems


def self_test():
    planted = {
        'core/clip.h': ('#include "../importers/load.h"\n', 'core may not include importers'),
        'importers/ff7/a.cpp': ('#include "importers/ff9/b.h"\n', 'importers/ff7 may not include importers/ff9'),
        'importers/registry.cpp': ('#include "importers/ff9/b.h"\n', 'importers may not include importers/ff9'),
        'pipeline/b.h': ('#include "a.h"\n', 'circle: pipeline/a.h -> pipeline/b.h -> pipeline/a.h'),
        'json/json.h': ('#include <assimp/scene.h>\n', 'which only importers/assimp may'),
        'binding/bind.h': ('#include "map.h"\n', 'is public, but includes binding/map.h, which is not'),
        'core/pose.h': ('#include <fmt/format.h>\n', 'core/pose.h: is public, but includes <fmt/format.h>'),
        'tools/a.cpp': ('#include "gone.h"\n', 'which is not a file of the tree'),
    }
    sound = {'cmake/PublicHeaders.cmake': 'set(X\n    binding/bind.h\n    core/pose.h)\n', 'binding/bind.h': '',
             'binding/map.h': '', 'core/pose.h': '','importers/load.h': '', 'importers/ff9/b.h': '#include "../load.h"\n', 'pipeline/b.h': '',
             'pipeline/a.h': '#include "b.h"\n', 'core/clip.h': '',
             'importers/registry.cpp': ''}
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
