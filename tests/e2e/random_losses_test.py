"""A random rank is killed, frozen or gets no more memory, at a random moment of its launch.

MPSBENCH_MOMENTS is the number of moments of each kind (1), MPSBENCH_SEED repeats those of another run.
"""

import os
import random
import resource
import signal
import statistics
import sys
import time
import unittest
from pathlib import Path

from real_worker import RealWorker

MOMENTS = int(os.environ.get("MPSBENCH_MOMENTS", "1"))
SEED = int(os.environ.get("MPSBENCH_SEED", random.SystemRandom().randrange(10**6)))
LONGEST = 30  # seconds from the hit to the end of the launch
TRIES = 20  # of hits for one moment, because those after the end of the launch do not count
RUN = ("run", "-m", "mlp,lenet5", "-d", "cpu", "--mode", "train", "-b", "8", "--warmup", "5", "-r", "1")
TIMES = ("--min-time", "500ms", "--max-time", "1500ms", "--max-noise", "1e-9")


def kill(number):
    os.kill(number, signal.SIGKILL)


def freeze(number):
    os.kill(number, signal.SIGSTOP)


def take_memory(number):
    """Lets the process get no more memory from the system."""
    resource.prlimit(number, resource.RLIMIT_DATA, (1, 1))


def sockets_of(numbers):
    """The sockets of the processes, by their inodes."""
    sockets = set()
    for number in numbers:
        try:
            for one in Path(f"/proc/{number}/fd").iterdir():
                sockets.add(str(one.readlink()))
        except OSError:
            pass  # the process or its file is gone
    return sockets


def listening_sockets():
    lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]]
    return {f"socket:[{fields[9]}]" for fields in lines if fields[3] == "0A"}


@unittest.skipUnless(sys.platform == "linux", "looks at /proc")
class RandomLosses(RealWorker):
    patience = 120

    def setUp(self):
        super().setUp()
        # glibc then asks the system for all large blocks, and returns them, so that a lack of memory shows.
        self.env["MALLOC_MMAP_THRESHOLD_"] = "4096"
        self.random = random.Random(f"{SEED} {self.id()}")

    def test_killed(self):
        self.hit_often(kill, ("the worker was killed by SIGKILL",))

    def test_frozen(self):
        self.hit_often(freeze, ("the worker was stopped by a signal",))

    def test_out_of_memory(self):
        # The last: a new thread finds no memory for its stack.
        self.hit_often(take_memory, ("memory", "alloc", "Resource temporarily unavailable"))

    def hit_often(self, strike, reasons):
        """REASONS are texts of which the report must have one."""
        self.seconds, self.length = [], 3.0  # of a launch
        for number in range(MOMENTS):
            if not any(self.hit(strike, reasons) for _ in range(TRIES)):
                self.fail(f"seed {SEED}: moment {number} was {TRIES} times too late")
        middle = statistics.median(self.seconds)
        print(
            f"seed {SEED}: {strike.__name__}, {MOMENTS} moments: seconds from the hit to the end of all ranks: "
            f"{min(self.seconds):.1f} min, {middle:.1f} median, {max(self.seconds):.1f} max",
            flush=True,
        )

    def hit(self, strike, reasons):
        """Returns whether the hit came before the launch had ended."""
        ranks, launch = self.random.choice((2, 3)), self.random.choice((0, 1))
        rank, wait = self.random.randrange(ranks), self.random.random() * self.length
        what = f"seed {SEED}: {strike.__name__} rank {rank} of {ranks}, launch {launch}, after {wait:.2f} s"
        front = self.start(*RUN, *TIMES, "--ranks", ranks, "--export-json", "out.json")
        workers = self.await_workers(front, launch, ranks)
        time.sleep(wait)
        sockets = sockets_of([front.pid, *workers])
        try:
            strike(workers[rank])
        except ProcessLookupError:
            workers = []
        hit_at = time.monotonic()
        while any(self.lives(one) for one in workers) and time.monotonic() < hit_at + LONGEST:
            time.sleep(0.02)
        seconds = time.monotonic() - hit_at
        done = self.finish(front)
        what += f"\n{done}"
        self.expect_no_orphans()
        self.assertEqual(sockets & listening_sockets(), set())
        report = self.report()
        launches = {case["id"]: case["launches"][0] for case in report["cases"]}
        (hit,) = (id for id, one in launches.items() if one["order"] == launch)
        self.length = statistics.mean([one["wall_seconds"] for one in launches.values() if one["status"] == "ok"])
        if launches[hit]["status"] == "ok":
            return False
        message = launches[hit]["failure"]["message"]
        print(f"{strike.__name__} rank {rank} of {ranks} after {wait:.2f} s: {seconds:.1f} s: {message}", flush=True)
        self.assertLess(seconds, LONGEST, what)
        self.assertTrue(message.startswith(f"rank {rank}: "), what)
        self.assertTrue(any(text in message for text in reasons), what)
        self.assertEqual({id: one["status"] for id, one in launches.items() if id != hit and one["status"] != "ok"}, {})
        self.assertEqual(done.code, 5, what)
        self.expect_resumed(launches, hit)
        self.seconds.append(seconds)
        return True

    def await_workers(self, front, launch, ranks):
        """Waits for the processes of a launch, and returns them by rank."""
        while front.poll() is None:
            workers = self.workers()
            if len(workers) == ranks and len(self.finished()) == launch:
                return workers
            time.sleep(0.01)
        return self.fail(f"launch {launch} never ran\n{self.finish(front)}")

    def finished(self):
        """The launches in the journal."""
        return self.journal()[1] if (self.work / "out.jsonl").exists() else []

    def lives(self, number):
        try:
            stat = Path(f"/proc/{number}/stat").read_text(encoding="utf-8")
            return stat.rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False

    def expect_resumed(self, launches, hit):
        """The launch that was hit runs again, unless it ran out of memory, and the others are kept."""
        is_result = launches[hit]["status"] == "oom"
        self.expect(5 if is_result else 0, "run", "--resume", "out.json")
        for case in self.report()["cases"]:
            if case["id"] != hit or is_result:
                self.assertEqual(case["launches"], [launches[case["id"]]])
            else:
                self.assertEqual(case["status"], "ok", case)
