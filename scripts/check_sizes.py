#!/usr/bin/env python3
"""Lists the C++ functions of more than 60 lines and the classes of more than 250 lines in a folder, except tests.

    scripts/check_sizes.py [FOLDER]

Lines are counted from the first line of the declaration to the closing brace, in clang-format's layout. A lambda
belongs to the function around it; a lambda in a table at namespace scope is treated as a function. Exit status 1 if anything is
listed.
"""
import os
import re
import sys

MOST = {"function": 60, "class": 250}
NOT_OURS = {"tests", "node_modules"}

SILENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE)
AFTER_PARAMETERS = r"(?:\s|const\b|noexcept\b|override\b|final\b|mutable\b|try\b|&|@|->[\w:<>,&*\s]+)*"
FUNCTION = re.compile(r"(?:@" + AFTER_PARAMETERS + r"(?::(?!:).*[@}]\s*)?|(?:^|[\s=,])\[[^\[\]]*\]\s*)$", re.DOTALL)
CLASS = re.compile(r"(?:^|>|\s)(?:class|struct|union)\b(?!.*[=@])", re.DOTALL)
NAME = re.compile(r"((?:\w+::)*operator\W+|[\w:~]+(?:\s*<[^<>]*>)?)\s*@")


def kind_of(head):
    """The kind and name of the block that a brace opens; `head` is the code from the start of the statement to it."""
    while True:
        shorter = re.sub(r"\([^()]*\)", "@", head)
        if shorter == head:
            break
        head = shorter
    head = head[head.rfind("(") + 1:]  # a brace inside parentheses opens a lambda or a list
    head = re.sub(r"\balignas\s*@", "", head)
    if re.search(r"\benum\b", head):
        return "list", ""
    if re.search(r"\bnamespace\b|\bextern\s*$", head):
        return "namespace", ""
    if CLASS.search(head):
        return "class", re.search(r"(?:class|struct|union)\s+(\w*)", head).group(1)
    if FUNCTION.search(head):
        name = NAME.search(head)
        return "function", name.group(1) if name else "(lambda)"
    return "list", ""


def sizes(code):
    """Kind, name, first and last line of every class and function."""
    code = SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), code)
    opened = []  # kind, name, first line, and the code before the brace
    head, first, line, depth = "", None, 1, 0  # depth: number of open parentheses
    for part in re.finditer(r"(?:public|private|protected)\s*:(?!:)|\n|[{}();]|[^\n{}();]", code):
        text = part.group()
        if text == "\n":
            line += 1
        if text == "{":
            kind, name = kind_of(head)
            if any(k == "function" for k, *_ in opened) and kind != "class":
                kind = "block"
            opened.append((kind, name, first or line, head, depth))
            head, first, depth = "", None, 0
        elif text == "}" and opened:
            kind, name, begin, before, depth = opened.pop()
            if kind in MOST:
                yield kind, name, begin, line
            # The declaration continues after a list, and after a lambda in parentheses.
            head, first = (before + "{}", begin) if kind == "list" or depth > 0 else ("", None)
        elif text.startswith(("public", "private", "protected")) or (text == ";" and depth == 0):
            head, first = "", None
        else:
            depth += {"(": 1, ")": -1}.get(text, 0)
            head += text
            if first is None and not text.isspace():
                first = line


def main(folder):
    found = False
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in NOT_OURS and not f.startswith((".", "build")))
        for name in sorted(files):
            if not name.endswith((".cpp", ".h")):
                continue
            path = os.path.join(place, name)
            with open(path, encoding="utf-8") as file:
                for kind, what, first, last in sizes(file.read()):
                    if last - first + 1 > MOST[kind]:
                        found = True
                        print(f"{os.path.relpath(path, folder)}:{first}: {kind} {what} has {last - first + 1} lines, "
                              f"the limit is {MOST[kind]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
