#!/usr/bin/env python3
"""Lists names that two sources of a library both declare in anonymous namespaces.

    scripts/check_twins.py [FOLDER]

Such sources can't be compiled in one batch. Two declarations with the same name are also often the same code, written
twice. Functions are twins if their parameters have the same types; two equal `using` are not twins. The script relies
on clang-format's layout: text at the start of a line is at namespace scope. Exit status 1 if anything is listed.
"""
import collections
import os
import re
import sys

NOT_OURS = {"tests", "node_modules", "build", "bench", "fuzz", "programs"}

SYSTEM = re.compile(r"_(?:posix|windows)\.cpp$")
SILENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{")
TEMPLATE = re.compile(r"template <(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*(?:requires\([^)]*\)\s*)?")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?|concept) (\w+)(?! \w)")
ALIAS = re.compile(r"using (\w+) =([^;]*)")
VARIABLE = re.compile(r"(?:[\w:&*<>, ]|\([^()]*\))*?[ &*](\w+)(?:\[[^\]]*\])* ?(?:=|;|\{)")
FUNCTION = re.compile(r"[^=;{]*?[ &*](\w+)\(")


def closing(text, at):
    """The index after the parenthesis that closes the one at `at`."""
    depth = 0
    for index in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    return len(text)


def types_of(parameters):
    """The types of a list of parameters, without names and defaults."""
    parts, depth = [""], 0
    for letter in parameters:
        depth += {"<": 1, "(": 1, "{": 1, ">": -1, ")": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    shown = [re.sub(r"\s+", " ", part.split("=")[0]).strip() for part in parts]
    return tuple(re.sub(r"(?<=[&*> \w])(?<!::)\b(?!const\b)\w+$", "", part).strip() if re.search(r"[&*> ]\w+$", part)
                 else part for part in shown)


def declared(statement):
    """A key for a statement at namespace scope, equal for twins; None if it declares no name."""
    statement = TEMPLATE.sub("", statement)
    if found := ALIAS.match(statement):
        return found.group(1), "using" + re.sub(r"\s+", " ", found.group(2))
    if found := TYPE.match(statement):
        return None if re.match(r"(?:struct|class) \w+;", statement) else (found.group(1), "")
    if found := FUNCTION.match(statement):
        end = closing(statement, found.end() - 1)
        rest = statement[end:].lstrip()
        if rest.startswith(("{", "const", "noexcept", "requires", "->")):
            return found.group(1), types_of(statement[found.end():end - 1])
        return None  # a declaration without a definition
    if found := VARIABLE.match(statement):
        return found.group(1), ""
    return None


def names(code):
    """The enclosing namespaces, the key and the line of every declaration in an anonymous namespace."""
    code = SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), code)
    inside, lines = [], code.split("\n")
    for number, line in enumerate(lines):
        if found := NAMESPACE.match(line):
            if not line.rstrip().endswith("}"):
                inside.append(found.group(1))
        elif line.startswith("}"):
            if inside and line.rstrip() == "}" and is_end(lines, number):
                inside.pop()
        elif line[:1].strip() and "" in inside and not line.startswith(("template", "public", "private", ")")):
            key = declared("\n".join(lines[number:number + 12]))
            if key:
                yield "::".join(inside), key, number + 1


def is_end(lines, number):
    """True for a brace that closes a namespace: only such a brace has an empty line before it."""
    return number == 0 or not lines[number - 1].strip()


def twins(top):
    """Names and places of declarations that two sources of a folder share."""
    for library in sorted(os.listdir(top)):
        if library in NOT_OURS or library.startswith(".") or not os.path.isdir(os.path.join(top, library)):
            continue
        known = collections.defaultdict(dict)
        for folder, below, files in os.walk(os.path.join(top, library)):
            below[:] = sorted(set(below) - NOT_OURS)
            for file in sorted(files):
                if not file.endswith(".cpp"):
                    continue
                path = os.path.relpath(os.path.join(folder, file), top)
                with open(os.path.join(top, path), encoding="utf-8") as source:
                    for space, (name, kind), line in names(source.read()):
                        known[space, name].setdefault(path, []).append((kind, line))
        for (_, name), places in sorted(known.items()):
            yield from clashes(name, places)


def clashes(name, places):
    """One line per pair of sources that can't be compiled as one."""
    paths = sorted(places)
    for index, path in enumerate(paths):
        for other in paths[:index]:
            if SYSTEM.sub("", path) == SYSTEM.sub("", other):
                continue  # these two are never compiled together
            for kind, line in places[path]:
                for known, before in places[other]:
                    same = kind == known and not str(kind).startswith("using")
                    differ = kind != known and not (isinstance(kind, tuple) and isinstance(known, tuple))
                    if same or differ:
                        yield f"{path}:{line}: {name} is also in {other}:{before}"


def main():
    top = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    found = sorted(set(twins(top)))
    print("\n".join(found) if found else "no name has a twin")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
