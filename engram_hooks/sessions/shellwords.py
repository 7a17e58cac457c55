"""The simple commands of a shell line, each as words: enough of the language to know what is run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    # the words, and the operator that ends the command: && || | ; & or '' at the end
    Command = tuple[list[str], str]

MAX_CHARS = 20_000
_OPERATORS = "&|;\n()"
_PAIRS = {"&&": "&&", "||": "||", "|&": "|", ";;": ";"}


def split_commands(line: str) -> list[Command]:
    """The simple commands of a line in order; quotes are taken off, here-documents and comments left out.

    Words keep expansions as they are written. Text that ends within quotes ends there. Redirections are left out.
    """
    return _Reader(line[:MAX_CHARS]).read()


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self.words: list[str] = []
        self.word: str | None = None
        self.is_target = False
        self.documents: list[str] = []
        self.out: list[Command] = []

    def read(self) -> list[Command]:
        size = len(self.line)
        while self.at < size:
            char = self.line[self.at]
            if char in " \t":
                self._end_word()
                self.at += 1
            elif char in _OPERATORS:
                self._operate(char)
            elif char in "<>":
                self._redirect(char)
            elif char == "#" and self.word is None:
                end = self.line.find("\n", self.at)
                self.at = size if end < 0 else end
            else:
                self._take(char)
        self._end_command("")
        return self.out

    def _take(self, char: str) -> None:
        """One character, or what stands in quotes, into the word."""
        text, width = char, 1
        if self.line.startswith("\\\n", self.at):
            self.at += 2
            return
        if char == "\\":
            following = self.line[self.at + 1 : self.at + 2]
            text, width = following, 2
        elif char in "'\"":
            end = self._closing(char)
            text, width = self._unquote(self.line[self.at + 1 : end], char), end + 1 - self.at
        elif char == "`" or self.line.startswith("$(", self.at):
            end = self._substitution_end(char)
            text, width = self.line[self.at : end], end - self.at
        self.word = (self.word or "") + text
        self.at += width

    def _closing(self, quote: str) -> int:
        """Where a quoted part ends; the end of the line where it does not."""
        at = self.at + 1
        while True:
            at = self.line.find(quote, at)
            if at < 0:
                return len(self.line)
            slashes = (
                at - len(self.line[:at].rstrip("\\")) if quote == '"' and self.line[at - 1] == "\\" else 0
            )
            if slashes % 2 == 0:
                return at
            at += 1

    @staticmethod
    def _unquote(text: str, quote: str) -> str:
        return text if quote == "'" or "\\" not in text else text.replace('\\"', '"').replace("\\\\", "\\")

    def _substitution_end(self, char: str) -> int:
        if char == "`":
            end = self.line.find("`", self.at + 1)
            return len(self.line) if end < 0 else end + 1
        depth = 0
        for at in range(self.at + 1, len(self.line)):
            depth += (self.line[at] == "(") - (self.line[at] == ")")
            if not depth:
                return at + 1
        return len(self.line)

    def _operate(self, char: str) -> None:
        if char == "&" and self.line[self.at - 1 : self.at] == ">":  # 2>&1
            self.at += 1
            return
        if char == "&" and self.line.startswith("&>", self.at):
            self._end_word()
            self.at += 1
            return
        pair = self.line[self.at : self.at + 2]
        operator = _PAIRS.get(pair, "")
        self.at += 2 if operator else 1
        self._end_command(operator or (char if char in "|&" else ";"))
        if char == "\n" and self.documents:
            self._skip_documents()

    def _redirect(self, char: str) -> None:
        """`2>file`, `>>file`, `<<EOF`, `<(command)`: the word behind it is no argument."""
        if self.word is not None and self.word.isdigit():
            self.word = None
        self._end_word()
        run = len(self.line[self.at :]) - len(self.line[self.at :].lstrip("<>"))
        self.at += run
        if self.line.startswith("&", self.at):
            self.at += 1
        if char == "<" and run == 2:
            self.at += self.line.startswith("-", self.at)
            self.is_target = True
            self.documents.append("")
            return
        self.is_target = True

    def _skip_documents(self) -> None:
        for end in self.documents:
            while end and self.at < len(self.line):
                stop = self.line.find("\n", self.at)
                stop = len(self.line) if stop < 0 else stop
                text = self.line[self.at : stop].strip()
                self.at = stop + 1
                if text == end:
                    break
        self.documents = []

    def _end_word(self) -> None:
        if self.word is None:
            return
        if self.is_target:
            self.is_target = False
            if self.documents and not self.documents[-1]:
                self.documents[-1] = self.word
        else:
            self.words.append(self.word)
        self.word = None

    def _end_command(self, operator: str) -> None:
        self._end_word()
        self.is_target = False
        if self.words:
            self.out.append((self.words, operator))
        elif self.out and operator == "|" and self.out[-1][1] != "|":
            self.out[-1] = (self.out[-1][0], operator)  # `(a; b) | c`
        self.words = []
