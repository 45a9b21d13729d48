"""Tests completion in the real shells, and the manual page with real formatters."""

import os
import pty
import re
import select
import subprocess
import time

import wanted
from support import FrontTest

ASK_BASH = """source "$1"; shift
complete -p mpsbench > /dev/null || exit 9
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mpsbench; printf '%s\\n' "${COMPREPLY[@]}"
"""


class Shells(FrontTest):
    def script(self, shell):
        return self.write(f"completion.{shell}", self.expect(0, "completion", shell).out)

    def run_program(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.work, env=self.env, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return done.stdout

    @wanted.program("bash")
    def test_bash(self):
        script = self.script("bash")

        def complete(*words):
            return self.run_program("bash", "-c", ASK_BASH, "bash", script, "mpsbench", *words).split()

        self.assertEqual(complete("ru"), ["run"])
        self.assertEqual(complete("run", "--mo"), ["--model", "--mode"])
        self.assertEqual(complete("run", "--mode", "train,i"), ["train,infer"])
        self.assertEqual(complete("run", "--precision", "=", "b"), ["bf16"])
        self.assertEqual(complete("run", "-q", "-m", "vgg16"), ["vgg16", "vgg16_bn", "vgg16_bn-cifar10"])
        self.assertEqual(complete("run", "qui"), ["quick"])
        self.assertEqual(complete("compare", "-f", ""), ["table", "md", "csv", "json", "junit"])
        self.assertIn("mps", complete("calibrate", "--device", ""))
        self.assertEqual(complete("calibrate", "--versu"), [])
        self.assertEqual(complete("list", "su"), ["suites"])
        self.assertEqual(complete("compare", "re"), [], "then the shell offers files")

    @wanted.program("fish")
    def test_fish(self):
        script = self.script("fish")
        self.env["HOME"] = str(self.folder)

        def complete(line):
            said = self.run_program("fish", "-c", f"source '{script}'; complete -C '{line}'")
            return [row.split("\t")[0] for row in said.splitlines()]

        self.assertEqual(complete("mpsbench ru"), ["run"])
        self.assertEqual(complete("mpsbench run --mo"), ["--mode", "--model"])
        self.assertEqual(complete("mpsbench run --mode train,i"), ["train,infer"])
        self.assertEqual(complete("mpsbench list su"), ["suites"])
        self.assertIn("tiny.json", complete("mpsbench validate t"))

    @wanted.program("zsh")
    def test_zsh(self):
        script = self.script("zsh")
        self.run_program("zsh", "-n", script)
        self.assertIn("mpsbench doctor ", self.typed(script, "mpsbench doc\t", "doctor"))
        self.assertIn("--channels-last", self.typed(script, "mpsbench run --chan\t", "last"))
        self.assertIn("train,infer", self.typed(script, "mpsbench run --mode train,i\t", "infer"))
        self.assertIn("tiny.json", self.typed(script, "mpsbench validate tin\t", "json"))

    def typed(self, script, line, awaited):
        """What a terminal shows after LINE is typed, as soon as it shows AWAITED."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.work)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.env | {"TERM": "dumb", "HOME": str(self.folder)})
        try:
            start = f"autoload -U compinit; compinit -u -D; source '{script}'; mpsbench() {{ }}; echo rea''dy\n"
            os.write(terminal, start.encode())
            self.read_until(terminal, r"ready\r?\n.*[%#>] ?")
            os.write(terminal, line.encode())
            return self.read_until(terminal, awaited)
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(terminal)

    def read_until(self, terminal, pattern):
        text, end = "", time.monotonic() + 30
        while time.monotonic() < end and not re.search(pattern, text, re.S):
            if select.select([terminal], [], [], 0.1)[0]:
                text += os.read(terminal, 4096).decode()
        self.assertRegex(text, re.compile(pattern, re.S))
        return text

    def page(self):
        return self.write("mpsbench.1", self.expect(0, "man").out)

    def test_page_tells_what_help_tells(self):
        page = self.page().read_text().replace("\\-", "-").replace("\\e", "\\")
        self.assertTrue(page.isascii())
        for command in ("run", "list", "doctor", "ops", "validate", "compare", "completion"):
            help_text = self.expect(0, command, "--help").out
            section = page.split(f".SS \\fB{command}\\fR\n")[1].split(".SS")[0]
            self.assertIn(help_text.splitlines()[0], section)
            for option in re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+)", help_text):
                self.assertIn(option, section)

    @wanted.program("groff")
    def test_groff_has_nothing_to_complain_of(self):
        self.run_program("groff", "-man", "-ww", "-z", self.page())

    @wanted.program("mandoc")
    def test_mandoc_has_nothing_to_complain_of_but_the_date(self):
        done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", self.page()], capture_output=True, text=True)
        complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(complaints, [], done.stderr)
