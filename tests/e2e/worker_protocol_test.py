"""Tests the worker without a front: requests on stdin, events on descriptor 3, nothing on stdout."""

import json
import os
import subprocess
import unittest

from support import MPSBENCH, PATIENCE

WORKER = MPSBENCH.with_name("mpsbench-worker")


def probe(front_pid, protocol=7):
    return json.dumps({"request": "probe", "protocol": protocol, "front_pid": front_pid, "threads": 1}) + "\n"


class Protocol(unittest.TestCase):
    def talk(self, request, hang_up=False):
        """The worker's events, its text on stderr, and its exit status."""
        reader, writer = os.pipe()
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        # The shell opens descriptor 3, on which the worker writes its events, and then becomes the worker.
        command = ["sh", "-c", 'exec "$0" 3>&"$1"' if not hang_up else 'exec "$0" 3>&-', str(WORKER), str(writer)]
        worker = subprocess.Popen(command, text=True, pass_fds=(writer,), **pipes)
        os.close(writer)
        out, err = worker.communicate(request, timeout=PATIENCE)
        with os.fdopen(reader) as file:
            events = [json.loads(line) for line in file]
        self.assertEqual(out, "")
        return events, err, worker.returncode

    def test_probe(self):
        events, err, code = self.talk(probe(os.getpid()))
        self.assertEqual([event["event"] for event in events], ["hello", "probe"])
        self.assertEqual((err, code), ("", 0))

    def test_no_request_or_nonsense(self):
        requests = ("", "\n", "{]\n", "[]\n", '{"request": "dance"}\n', probe(os.getpid(), 99), "[" * 100000, "\0\0\n")
        for request in requests:
            events, err, code = self.talk(request)
            self.assertEqual((events, code, err.count("\n")), ([], 2, 1), (request[:50], err))
            self.assertTrue(err.startswith("mpsbench-worker: "), err)

    def test_the_front_is_gone_already(self):
        events, _, code = self.talk(probe(1))
        self.assertEqual(events, [])
        self.assertNotEqual(code, 0)

    def test_nobody_listens(self):
        _, err, code = self.talk(probe(os.getpid()), hang_up=True)
        self.assertNotEqual(code, 0)
        self.assertIn("event", err)
