"""Helpers for the tests of gates and calibrations: one case, and workers whose times are chosen here."""

from support import FrontTest, normal

STEADY = (1.0, 1.002, 0.998, 1.001, 0.999)
UNSTEADY = (1.0, 1.03, 0.97, 1.02, 0.98, 1.01, 0.99, 1.035, 0.965, 1.0)
CASE = "tiny/train/cpu/b4"
ONE_CASE = ("-m", "tiny.json", "--mode", "train", "-b", "4", "--no-progress")


def session(counter, factors, of=1.0):
    """A script for the fake worker: a step of launch k takes OF * FACTORS[k] ms. FACTORS repeats."""
    rules = [
        {"launch": launch, "actions": normal(step_seconds=of * factors[(launch - 1) % len(factors)] * 1e-3, spread=0)}
        for launch in range(1, 400)
    ]
    return {"counter": str(counter), "rules": rules}


class GateTest(FrontTest):
    baselines = {}

    def setUp(self):
        super().setUp()
        self.number = 0
        self.env["XDG_CACHE_HOME"] = str(self.folder / "cache")

    def play(self, factors, of=1.0):
        self.number += 1
        return session(self.folder / f"starts-{self.number}", factors, of)

    def measure(self, *arguments, factors=STEADY, of=1.0, code=0, command="run", report="new.json"):
        script = self.write(f"session-{self.number}.json", self.play(factors, of))
        self.env["MPSBENCH_FAKE_SESSION"] = str(script)
        return self.expect(code, command, *ONE_CASE, "--export-json", report, *arguments)

    def launches(self, report="new.json"):
        (case,) = self.report(report)["cases"]
        return len(case["launches"])

    def baseline(self, factors=STEADY, repeats=5):
        """The option of a gate. All tests of a file have the same baselines."""
        if (factors, repeats) not in self.baselines:
            self.measure("-r", str(repeats), factors=factors, report="old.json")
            self.baselines[factors, repeats] = self.text("old.json")
        self.write("old.json", self.baselines[factors, repeats])
        return ("--baseline", "old.json")
