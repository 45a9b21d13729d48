"""What a user sees on a terminal: the progress line, colours, narrow windows."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

from support import MPSBENCH, TINY, FrontTest


def cells(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text if not unicodedata.combining(c))


class Terminal(FrontTest):
    def watch(self, *arguments, columns=100, session=None, data_too=True):
        """Runs mpsbench with stderr on a terminal (and stdout, if DATA_TOO). Returns the terminal's text and stdout."""
        (self.work / "out.json").unlink(missing_ok=True)
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        env = dict(self.env)
        if session:
            env["MPSBENCH_FAKE_SESSION"] = json.dumps(session)
        words = [str(MPSBENCH), "run", "-m", "tiny.json", "--export-json", "out.json", *arguments]
        out = follower if data_too else subprocess.PIPE
        front = subprocess.Popen(words, cwd=self.work, env=env, stdout=out, stderr=follower, stdin=follower)
        os.close(follower)
        seen = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:  # Linux's way to say that the last writer has closed the terminal
                chunk = b""
            if not chunk:
                break
            seen += chunk
        os.close(leader)
        data = b"" if data_too else front.stdout.read()
        if not data_too:
            front.stdout.close()
        self.assertEqual(front.wait(), 0, seen.decode())
        return seen.decode(), data.decode()

    def drawn(self, seen):
        """The successive texts of the progress line."""
        return [part for part in re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;]*m", "", seen)) if part.startswith("[")]

    def test_progress_line(self):
        seen, _ = self.watch("-b", "4,8")
        lines = self.drawn(seen)
        self.assertIn("[ 1/12]", lines[0])
        self.assertIn("[12/12]", lines[-1])
        self.assertTrue(all("tiny" in line and "left" in line for line in lines))
        self.assertTrue(any("ms" in line for line in lines))

    def test_it_overwrites_itself_and_leaves_nothing(self):
        seen, data = self.watch("-f", "json", data_too=False)
        json.loads(data)
        progress = re.sub(r"\x1b\[[0-9;]*m", "", seen[: seen.index("report  out.json")])
        self.assertNotIn("\n", progress)
        self.assertEqual(progress.split("\r")[-1], "")
        self.assertEqual(progress.split("\r")[-2].strip(), "")

    def test_no_line_is_wider_than_the_window(self):
        for name, widths in (("tiny", (1, 2, 10, 40, 79)), ("n" * 90, (60,))):
            self.write("tiny.json", TINY | {"name": name})
            for columns in widths:
                seen, _ = self.watch(columns=columns, data_too=False)
                for line in re.split(r"[\r\n]", seen[: seen.rindex("\r")]):
                    self.assertLess(cells(line), columns if columns > 1 else 2, f"{columns}: {line!r}")
        self.assertIn("nnn", "".join(self.drawn(seen)))
        self.watch(columns=0)

    def test_colour(self):
        crash = {"rules": [{"case": "/train/", "actions": ["normal"]}]}
        self.assertIn("\x1b[", self.watch(session=crash)[0])
        for change in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.env |= change
            seen = self.watch()[0]
            self.assertNotIn("\x1b[", seen)
            self.assertNotIn("\r", seen.replace("\r\n", "\n"), "no line overwrites itself")
            self.assertEqual(len(self.drawn(seen)), 6, "a line a launch")
            self.env = {**self.env, "NO_COLOR": "", "TERM": "xterm"}
        self.env["NO_COLOR"] = "1"
        self.assertIn("\x1b[", self.watch("--color", "always")[0])
