"""What check_packages.py finds in scripts, and that it complains."""

import os
import subprocess
import sys
import tempfile
import unittest

import check_packages
from shell_commands import commands

SCRIPT = r"""
set -e; first "$(second <file | third)" && ! fourth || fifth -x no
VALUE=1 LIST=(no no) sixth 2>no >"$(seventh)"
case $x in no | no*) eighth ;; *) ninth <<END
no $(tenth)
END
;; esac
for no in no; do eleventh; done # no
function_of_it() { twelfth 'no; no'; }
env -u no A=1 thirteenth; timeout -s no 60 fourteenth; xargs -P "$(fifteenth)" -I{} sixteenth no
[[ no == no && -n $(seventeenth) ]] && ((no > no)) || if eighteenth; then function_of_it no; fi
echo `no` ${x:-$(nineteenth)} | while read -r no; do command -v twentieth; done
./no.sh "$no" no; $no no
"""
NUMBERS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""".split()
LIST = "test python3 optional python3 why\nbuild gcc needed cc,cmake:OpenMP why\n"


class Packages(unittest.TestCase):
    def test_reads_the_commands_of_a_script(self):
        names, functions = commands(SCRIPT)
        self.assertEqual(functions, {"function_of_it"})
        self.assertEqual(names - check_packages.BUILTINS - {"env", "timeout", "xargs"} - functions, set(NUMBERS))

    def found_in(self, path, text, listed=LIST):
        """What the check says of a repository of one file and the list."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ((check_packages.LIST, listed), (path, text)):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            for words in (["init", "-q"], ["add", "-A"]):
                subprocess.run(["git", *words], cwd=folder, check=True)
            script = os.path.abspath(check_packages.__file__)
            return subprocess.run([sys.executable, "-B", script], cwd=folder, capture_output=True, text=True, check=False).stdout

    @unittest.skipUnless(os.path.exists("/usr/bin/dpkg-query"), "not a Debian system")
    def test_complains(self):
        for path, text, word in (
            ("a.sh", "#!/bin/sh\n@ | cat\n", "@"),
            ("Makefile", "all:\n\t@ $(ALL)\n", "@"),
            ("CMakeLists.txt", "find_package(@ REQUIRED)\n", "cmake:@"),
            ("CMakeLists.txt", "find_library(X NAMES @)\n", "lib:@"),
            ("CMakeLists.txt", "find_path(X @/a.h)\n", "@/a.h"),
            ("CMakeLists.txt", "find_program(X @)\n", "@"),
            ("CMakeLists.txt", "execute_process(COMMAND @ 1)\n", "@"),
            ("CMakeLists.txt", "pkg_check_modules(X REQUIRED @)\n", "cmake:@"),
            ("tests/a.c", 'void f(void) { g(test_shell("true | " X "@ \\"no\\"")); }', "@"),
            ("tests/a.c", 'char *commands[][2] = {\n        {"@ no", "no"},\n    };', "@"),
            ("b/a.py", "def f():\n    import @.abc\n", "py:@"),
            ("b/a.py", 'subprocess.run(["@", "-v"])\n', "@"),
        ):
            with self.subTest(path=path, text=text):
                said = self.found_in(path, text.replace("@", "xyz"))
                self.assertIn(f"{path}: {word} is in no line".replace("@", "xyz"), said)
        self.assertIn("cmake:OpenMP (gcc) is used nowhere", self.found_in("a.sh", "cat\n"))
        self.assertIn(":3: cc is provided by gcc already", self.found_in("a.sh", "", LIST + "build clang needed cc why\n"))


if __name__ == "__main__":
    unittest.main()
