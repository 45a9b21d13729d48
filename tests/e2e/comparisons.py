"""Helpers for the tests of `mpsbench compare`: reports with chosen times."""

import json

from support import FrontTest, another

STEADY = (1.0, 1.002, 0.998, 1.001, 0.999)
UNSTEADY = (1.0, 1.04, 0.97, 1.02, 0.95)


class CompareTest(FrontTest):
    def setUp(self):
        super().setUp()
        self.base = self.run_tiny("--mode", "train,infer", "-b", "4,8", "-r", "5")
        self.ids = self.base["run"]["plan"]

    def make(self, name, factors=STEADY, cases=None, change=None):
        """Writes the report of another run. FACTORS are the times of the launches in ms. CASES has other times
        for some cases, by the beginning of their ids.
        """
        report = another(self.base, name)
        for case in report["cases"]:
            chosen = next((own for start, own in (cases or {}).items() if case["id"].startswith(start)), factors)
            case["launches"] = case["launches"][: len(chosen)]
            for launch, factor in zip(case["launches"], chosen, strict=True):
                launch["samples_seconds"] = [factor * 1e-3] * 10
            case["flags"] = []
        if change:
            change(report)
        self.write(name, report)
        return name

    def compare(self, *arguments, code=0):
        return self.expect(code, "compare", *arguments)

    def as_json(self, *arguments, code=0):
        return json.loads(self.compare(*arguments, "-f", "json", code=code).out)

    def verdicts(self, *arguments, code=0):
        return {case["id"]: case["verdict"] for case in self.as_json(*arguments, code=code)["cases"]}


def times(factor, launches=STEADY):
    return [factor * one for one in launches]
