"""The external commands that a shell script calls, read from its text without running it.

commands(text) returns (names, functions): every literal word in command position, and the names of
the functions that the script defines. A word with an expansion or a slash in it is left out: nothing
is known of the one, and the other is a path.
"""

import re

RESERVED = {"if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "coproc"}
CLOSING = {"fi", "done", "esac", "}"}
WRAPPERS = {"exec", "command", "env", "nice", "timeout", "xargs", "sudo", "nohup", "setsid", "builtin", "run"}
VALUED = {"env -u", "timeout -s", "xargs -a", "xargs -d"}  # options whose value is the next word
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=")
NAME = re.compile(r"[A-Za-z_][\w.+-]*$|\[$")


class Reader:
    def __init__(self, text):
        self.text, self.at = text.replace("\\\n", "  "), 0
        self.names, self.functions, self.heredocs = set(), set(), []

    def ahead(self, word):
        return self.text.startswith(word, self.at)

    def until(self, word):
        """Goes behind the next `word`."""
        end = self.text.find(word, self.at)
        self.at = len(self.text) if end < 0 else end + len(word)

    def arithmetic(self):
        """Goes behind the "))" of a "((", whose insides call nothing."""
        depth = 0
        while self.at < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0:
                return

    def expansion(self):
        """At a "$" or a backquote: goes behind the expansion and reads the commands inside."""
        if self.ahead("$(("):
            self.at += 1
            self.arithmetic()
        elif self.ahead("$("):
            self.at += 2
            self.script(")")
        elif self.ahead("${"):
            self.at += 2
            while self.at < len(self.text) and not self.ahead("}"):
                self.piece()
            self.at += 1
        elif self.ahead("$'"):
            self.at += 2
            self.until("'")
        else:
            self.at += 1

    def piece(self):
        """One character, quoted part or expansion of a word; its literal text, None when unknown."""
        char = self.text[self.at]
        if char == "\\":
            self.at += 2
            return self.text[self.at - 1 : self.at]
        if char == "'":
            begin = self.at = self.at + 1
            self.until("'")
            return self.text[begin : self.at - 1]
        if char == '"':
            self.at += 1
            parts = []
            while self.at < len(self.text) and not self.ahead('"'):
                quoted = self.text[self.at] == "'"
                self.at += quoted
                parts.append("'" if quoted else self.piece())
            self.at += 1
            return None if None in parts else "".join(parts)
        if char in "$`":
            self.expansion()
            return None
        self.at += 1
        return char

    def word(self):
        """(text, literal): the text up to the first expansion; literal: it has none."""
        parts, literal = [], True
        while self.at < len(self.text) and self.text[self.at] not in " \t\n;&|()<>":
            part = self.piece()
            literal = literal and part is not None
            if literal:
                parts.append(part)
            if "".join(parts)[-1:] == "=" and self.ahead("("):  # an array
                self.at += 1
                self.words(")")
        return "".join(parts), literal

    def words(self, closing):
        while self.at < len(self.text) and not self.ahead(closing):
            if self.text[self.at] == "#" and self.text[self.at - 1] in " \t\n":
                self.until("\n")
            elif self.word() == ("", True):
                self.at += 1
        self.at += len(closing)

    def newline(self):
        """Goes behind the bodies of the here-documents that this line began."""
        self.at += 1
        for end, quoted in self.heredocs:
            while self.at < len(self.text):
                begin = self.at
                self.until("\n")
                line = self.text[begin : self.at]
                if line.strip() == end:
                    break
                if not quoted and "$(" in line:
                    inner = Reader(line[line.index("$(") :])
                    inner.expansion()
                    self.names |= inner.names
        self.heredocs = []

    def redirection(self):
        operator = re.compile(r"<<<|<<-?|[<>]\(|&?>>?[&|]?|<[&>]?").match(self.text, self.at)
        self.at = operator.end()
        if operator.group()[-1] == "(":
            return self.script(")")
        while self.ahead(" "):
            self.at += 1
        quoted = self.text[self.at : self.at + 1] in "'\"\\"
        text, _ = self.word()
        if operator.group() in ("<<", "<<-"):
            self.heredocs.append((text, quoted))
        return None

    def test(self):
        """[[ ... ]]: its operators begin no command."""
        while self.at < len(self.text) and not self.ahead("]]"):
            if self.word() == ("", True):
                self.at += 1
        self.at += 2

    def pattern(self):
        """The patterns of one branch of a case; False at esac."""
        while self.text[self.at : self.at + 1].isspace():
            self.newline() if self.ahead("\n") else setattr(self, "at", self.at + 1)
        if self.ahead("#"):
            self.until("\n")
            return self.pattern()
        if re.compile(r"esac\b").match(self.text, self.at):
            self.at += 4
            return False
        self.at += self.ahead("(")
        self.words(")")
        return True

    def script(self, closing=None):
        """Commands up to `closing`."""
        begins, wrapped, cases = True, None, 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == ")" and closing:
                self.at += 1
                return
            if char in "<>" or self.ahead("&>"):
                self.redirection()
            elif char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif cases and self.ahead(";;"):
                self.until(";;")
                cases -= not self.pattern()
                begins, wrapped = True, None
            elif begins and self.ahead("(("):
                self.arithmetic()
            elif char == "(":
                self.at += 1
                self.script(")")
                begins = False
            elif char in "\n;&|":
                self.newline() if char == "\n" else setattr(self, "at", self.at + 1)
                begins, wrapped = True, None
            elif char in " \t)":
                self.at += 1
            else:
                begins, wrapped, opened = self.one(begins, wrapped)
                cases += opened

    def one(self, begins, wrapped):
        """One word; (whether the next begins a command, the wrapper before it, cases opened)."""
        text, literal = self.word()
        if re.fullmatch(r"\d+", text) and self.text[self.at : self.at + 1] in ("<", ">"):
            return begins, wrapped, 0
        if not begins or (begins and ASSIGNMENT.match(text)):
            return begins, wrapped, 0
        if wrapped and wrapped in VALUED:  # the value of the option before it
            return True, wrapped.split()[0], 0
        if wrapped and not literal and wrapped not in ("timeout", "xargs") and not text.startswith("-"):
            return False, None, 0  # a command that is not known here
        if wrapped and (not literal or not NAME.match(text)):
            option = f"{wrapped} {text}"
            return True, option if option in VALUED else wrapped, 0
        if not literal or not text:
            return False, None, 0
        if text in RESERVED and not wrapped:
            return True, None, 0
        if text in CLOSING:
            return False, None, 0
        if text == "case":
            self.until(" in")
            return True, None, int(self.pattern())
        if text == "[[":
            self.test()
            return False, None, 0
        if text in ("for", "select", "function"):
            while self.ahead(" "):
                self.at += 1
            if self.ahead("(("):
                self.arithmetic()
            return False, None, 0
        if re.compile(r"[ \t]*\(\)").match(self.text, self.at):
            self.until(")")
            self.functions.add(text)
            return True, None, 0
        if NAME.match(text):
            self.names.add(text)
        return (text in WRAPPERS), (text if text in WRAPPERS else None), 0


def commands(text):
    reader = Reader(text)
    reader.script()
    return reader.names, reader.functions
