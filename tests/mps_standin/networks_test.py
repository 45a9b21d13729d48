"""The first steps of the bundled networks on the stand-in are the same as on the CPU.

By default, tests the small networks and one that has every type of layer. If MPSBENCH_STANDIN_NETWORKS=all is set, as
scripts/dev/check_mps does, tests all of them.
"""

import os

from standin import SOURCE, StandinTest

ALL = os.environ.get("MPSBENCH_STANDIN_NETWORKS") == "all"
BUNDLED = sorted((SOURCE / "models").glob("*.json"))
SMALL = [path for path in BUNDLED if path.stem in ("bert-tiny", "lenet5", "mlp")]
EVERY_LAYER = SOURCE / "tests/model/files/every_layer.json"


class Networks(StandinTest):
    """Has a test for each network."""

    patience = 900 if ALL else StandinTest.patience  # seconds: a step of the largest network takes long


def test_of(model):
    def test(self):
        for mode in ("train", "infer"):
            self.expect_same_step(model, mode, "-b", "2")

    return test


for path in [*(BUNDLED if ALL else SMALL), EVERY_LAYER]:
    setattr(Networks, f"test_{path.stem}", test_of(path))
