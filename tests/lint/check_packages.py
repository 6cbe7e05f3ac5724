#!/usr/bin/env python3
"""tools/packages.txt names every dependency: each command that a script or the Makefile calls, all
that CMake looks for, each Python module. What Debian's essential packages hold needs no line.

usage: check_packages.py               in the repository's root
       check_packages.py --provided GROUP...   also: what the packages of these groups are listed for is here
"""

import ast
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys

from shell_commands import commands

LIST = "tools/packages.txt"
# Not essential, yet in the smallest Debian that has apt.
PRESENT = {"apt-get", "apt-config", "awk"}
# sudo is used only if it is installed; the others are commands of this project or of a test.
OWN = {"fringe", "cmake:fringe", "run", "steady", "handles_interrupt", "sudo", "_fringe", "try_python.py"}
BUILTINS = set(
    """. : [ alias bg break builtin cd command compgen complete continue declare disown echo eval exec exit
    export false fg getopts hash help jobs kill let local mapfile popd printf pushd pwd read readarray
    readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset
    wait""".split()
)
# What CMake looks for: the kind in the list, and where in the call the name is.
FINDS = (
    ("cmake:", r"\b(?:find_package|check_language|enable_language)\(([\w+.-]+)"),
    ("cmake:", r"\bpkg_(?:check_modules|search_module)\(\w+ (?:(?:REQUIRED|QUIET|IMPORTED_TARGET) )*([\w+.-]+)"),
    ("lib:", r"\bfind_library\(\w+ (?:NAMES )?([\w+.-]+)"),
    ("", r"\bfind_(?:path|program|file)\(\w+ (?:NAMES )?([\w+./-]+)"),
    ("", r"\bexecute_process\(\s*COMMAND ([a-z][\w.+-]*)"),
)


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def read_list():
    """{provided name: (group, package)}; complains of lines that are not such."""
    provided, bad = {}, []
    for number, line in enumerate(read(LIST).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        part = line.split(None, 4)
        if len(part) < 5 or part[2] not in ("needed", "optional"):
            bad.append(f"{LIST}:{number}: not GROUP PACKAGE WEIGHT PROVIDES WHAT-FOR")
            continue
        for name in part[3].split(",") if part[3] != "-" else ():
            if name in provided:
                bad.append(f"{LIST}:{number}: {name} is provided by {provided[name][1]} already")
            provided[name] = (part[0], part[1])
    return provided, bad


def essential():
    """The commands of Debian's essential packages."""
    shown = output("dpkg-query", "-W", "-f", "${Package} ${Essential}\n").split("\n")
    packages = [line.split()[0] for line in shown if line.endswith(" yes")]
    files = output("dpkg-query", "-L", *packages).split("\n")
    return {os.path.basename(f) for f in files if re.match(r"(/usr)?/s?bin/", f)}


def in_scripts(paths):
    """(command, path) of each call in a shell script or the Makefile."""
    for path in paths:
        text = read(path)
        if path == "Makefile":
            value = dict(re.findall(r"^(\w+)\s*\?=\s*(\S+)$", text, re.M))
            text = "\n".join(line.strip().lstrip("@-") for line in text.split("\n") if line.startswith("\t"))
            text = re.sub(r"\$\((\w+)\)", lambda m: "make" if m[1] == "MAKE" else value.get(m[1], "$" + m[1]), text)
            text = text.replace("$$", "$")
        elif not (path.endswith(".sh") or re.match(r"#!.*\b(ba)?sh\b", text)):
            continue
        names, functions = commands(text)
        for sourced in re.findall(r"^(?:\. |# shellcheck source=)([\w./-]+)$", text, re.M):
            functions = functions | (commands(read(sourced))[1] if os.path.exists(sourced) else set())
        for name in names - functions:
            yield name, path


def in_c(paths):
    """(command, path) of what the tests in C run through a shell: test_shell("..."), commands[][]."""
    literal = r'"((?:[^"\\]|\\.)*)"'
    for path in paths:
        text = read(path) if path.startswith("tests/") and path.endswith(".c") else ""
        scripts = re.findall(rf"\btest_shell\(\s*((?:{literal}|[A-Z_]+|\s)+)\)", text)
        scripts = ["".join(re.findall(literal, words)) for words, _ in scripts]
        for table in re.findall(r"\bcommands\[\]\[2\] = \{(.*?)\n    \};", text, re.S):
            scripts += re.findall(rf"\{{{literal},", table)
        for script in scripts:
            yield from ((name, path) for name in commands(script)[0])


def in_cmake(paths):
    """(name as the list has it, path) of all that CMake looks for or runs."""
    for path in paths:
        if not re.search(r"CMakeLists\.txt$|\.cmake$", path):
            continue
        text = re.sub(r"#.*", "", read(path))
        for kind, pattern in FINDS:
            yield from ((kind + name, path) for name in re.findall(pattern, text))
        for name in re.findall(r"\bproject\([^)]*LANGUAGES ([\w ]+?)(?: DESCRIPTION|\))", text):
            yield from (("cmake:" + language, path) for language in name.split() if language != "NONE")


def in_python(paths):
    """(module or command as the list has it, path) of what Python scripts import and run."""
    scripts = [p for p in paths if p.endswith(".py")]
    local = {os.path.basename(p)[:-3] for p in scripts} | {os.path.basename(os.path.dirname(p)) for p in scripts}
    for path in scripts:
        text = read(path)
        for node in ast.walk(ast.parse(text, path)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            for name in {n.split(".")[0] for n in names} - sys.stdlib_module_names - local:
                yield "py:" + name, path
        for name in re.findall(r"(?:\b(?:run|Popen|check_output|check_call)\(\[|which\(|\boutput\()\"([\w+.-]+)\"", text):
            yield name, path


def here(name):
    """What a package provides is on this machine."""
    kind, _, rest = name.partition(":")
    if kind == "lib":
        return bool(glob.glob(f"/usr/lib/*/lib{rest}.so") or glob.glob(f"/usr/lib/lib{rest}.so"))
    if kind == "py":
        return importlib.util.find_spec(rest) is not None
    if kind == "cmake":
        return True  # the build has found it
    if re.search(r"\.h(pp)?$", name):
        return bool(glob.glob(f"/usr/include/{name}") or glob.glob(f"/usr/include/*/{name}"))
    return shutil.which(name) is not None


def main(groups):
    if not shutil.which("dpkg-query"):
        print("skip: not a Debian system")
        return 77
    provided, bad = read_list()
    paths = [p for p in output("git", "ls-files").split("\n") if p and os.path.isfile(p)]
    known = BUILTINS | PRESENT | OWN | essential()
    used = set()
    for name, path in [*in_scripts(paths), *in_c(paths), *in_cmake(paths), *in_python(paths)]:
        used.add(name)
        if name not in provided and name not in known:
            bad.append(f"{path}: {name} is in no line of {LIST}")
    unseen = {"py:venv", "stdlib.h", "cc", "c++", "gcc", "g++"}  # by python3 -m, by all, by CMake
    bad += [f"{LIST}: {name} ({provided[name][1]}) is used nowhere" for name in set(provided) - used - unseen]
    if len(used) < 60:
        bad.append(f"only {len(used)} names were found: is this a git checkout?")
    for name, (group, package) in provided.items():
        if group in groups and not here(name):
            bad.append(f"{LIST}: {package} is listed for {name}, which is not here")
    print("\n".join(sorted(set(bad))) or f"{len(used)} names, all known")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:] if sys.argv[1:2] == ["--provided"] else []))
