"""Compares our tokenizer (the program tokenize_lines, given as argument) with the one in Rust, and checks that
compare_tokenizers.py finds a difference.
"""

import sys

import wanted
from folders import FolderTest
from support import run

wanted.packages("tokenizers")

import compare_tokenizers  # noqa: E402

PROGRAM = sys.argv.pop(1)
# Answers like the real program, but without the last id of texts with Cyrillic, or the last word of texts with U+0400.
FAULTY = """#!{python}
import json, subprocess, sys
texts = sys.stdin.readlines() if sys.argv[1] != "unicode" else []
command = ["{program}", *sys.argv[1:]]
said = subprocess.run(command, input="".join(texts), check=True, capture_output=True, text=True).stdout
if not texts:
    print(said, end="")
last = {{"ids": 0x4FF, "words": 0x400}}.get(sys.argv[1])
for text, line in zip(texts, said.splitlines()):
    faulty = any(0x400 <= ord(c) <= last for c in json.loads(text))
    print(json.dumps(json.loads(line)[:-1]) if faulty else line)
"""


def output_of(*arguments: str, program: str = PROGRAM) -> tuple[int, list[str]]:
    code, out, _ = run(compare_tokenizers.main, *arguments, "--program", program)
    return code, out.splitlines()


class CompareTokenizers(FolderTest):
    def test_ids_agree(self) -> None:
        code, lines = output_of("--texts", "5000", "--seed", "3", "--code-points", str(0x30000))
        self.assertEqual(lines[-1], "5000 texts from seed 3, truncated to 512 and 12 ids: 0 differ")
        self.assertEqual(code, 0)

    def test_a_wrong_id_is_found(self) -> None:
        code, lines = self.faulty("--texts", "300", "--code-points", str(0x500))
        self.assertEqual(code, 1)
        self.assertRegex(lines[-1], r"^300 texts from seed 0, truncated to 512 and 12 ids: [1-9][0-9]* differ$")
        self.assertIn("  mpsbench [", "\n".join(lines))

    def test_a_difference_of_the_tables_is_named_and_avoided(self) -> None:
        code, lines = self.faulty("--tables", "--code-points", str(0x420))
        self.assertEqual(code, 0)
        self.assertEqual(lines[1], "of 1056 code points 1 are treated differently")
        self.assertRegex(lines[-1], "^U\\+0400  Lu  .* / .*  CYRILLIC CAPITAL LETTER IE WITH GRAVE$")
        code, _ = self.faulty("--texts", "300", "--code-points", str(0x401))
        self.assertEqual(code, 0)

    def faulty(self, *arguments: str) -> tuple[int, list[str]]:
        program = self.write("faulty", FAULTY.format(python=sys.executable, program=PROGRAM), 0o755)
        return output_of(*arguments, program=str(program))
