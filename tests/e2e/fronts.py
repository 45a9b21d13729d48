"""Several fronts of one run, one a rank, started by hand with torchrun's variables."""

import socket
import time

from real_worker import RealWorker
from support import MPSBENCH

CASE = ("-m", "mlp", "-d", "cpu", "--mode", "train", "-b", "8")
STEPS = (*CASE, "--max-batches", "10", "--warmup", "1", "-r", "1")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class WithFronts(RealWorker):
    patience = 120  # seconds: a launcher and its processes start LibTorch several times

    def setUp(self):
        super().setUp()
        self.env["MPSBENCH_LOST_AFTER_MS"] = "5000"
        self.port = free_port()

    def tearDown(self):
        """No process and no port stays behind."""
        self.expect_no_orphans()
        deadline = time.monotonic() + 5  # the system closes the sockets of a killed process a little later
        while True:
            with socket.socket() as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    return one.bind(("127.0.0.1", self.port))
                except OSError:
                    self.assertLess(time.monotonic(), deadline, f"port {self.port} is still in use")
            time.sleep(0.05)

    def start_rank(self, rank, ranks, *arguments, program=MPSBENCH, before=(), **variables):
        """Starts one front as torchrun would. BEFORE are arguments of PROGRAM, if that starts mpsbench."""
        place = {"RANK": rank, "WORLD_SIZE": ranks, "LOCAL_RANK": rank, "LOCAL_WORLD_SIZE": ranks}
        place |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": self.port} | variables
        outer = self.env
        self.env = outer | {name: str(value) for name, value in place.items()}
        try:
            return self.start(*before, "run", *arguments, executable=str(program))
        finally:
            self.env = outer

    def start_ranks(self, ranks, *arguments):
        return [self.start_rank(rank, ranks, *arguments) for rank in range(ranks)]

    def finish_all(self, fronts, code=0):
        done = [self.finish(front) for front in fronts]
        said = "\n".join(map(str, done))
        self.assertEqual([one.code for one in done], [code] * len(done), said)
        return done

    def expect_refusal(self, fronts, *says, code=2):
        """All fronts end with the same line."""
        for done in self.finish_all(fronts, code):
            self.assertEqual(done.err.count("\n"), 1, done)
            for text in says:
                self.assertIn(text, done.err)
        self.assertFalse((self.work / "out.json").exists())

    def expect_good(self, ranks, name="out.json"):
        (case,) = self.report(name)["cases"]
        self.validate(name)
        self.assertEqual(case["status"], "ok", case)
        self.assertIn(f"+ranks={ranks}", case["id"])
        (launch,) = case["launches"]
        found = [(one["rank"], one["device"], one["status"]) for one in launch["ranks"]]
        self.assertEqual(found, [(rank, "cpu", "ok") for rank in range(ranks)])
