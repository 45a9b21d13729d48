"""First steps of the bundled networks on the stand-in are the CPU's.

The small ones here, and one that has every kind of layer. With MPSBENCH_STANDIN_NETWORKS=all in the environment, as
scripts/check_mps sets it, every one.
"""

import os

from standin import SOURCE, StandinTest, be_patient, main

ALL = os.environ.get("MPSBENCH_STANDIN_NETWORKS") == "all"
BUNDLED = sorted((SOURCE / "models").glob("*.json"))
SMALL = [path for path in BUNDLED if path.stem in ("bert-tiny", "lenet5", "mlp")]
EVERY_LAYER = SOURCE / "tests/model/files/every_layer.json"


class Networks(StandinTest):
    """A test for each network."""


def test_of(model):
    def test(self):
        for mode in ("train", "infer"):
            self.expect_same_step(model, mode, "-b", "2")

    return test


for path in [*(BUNDLED if ALL else SMALL), EVERY_LAYER]:
    setattr(Networks, f"test_{path.stem}", test_of(path))

if __name__ == "__main__":
    if ALL:
        be_patient(900)  # seconds: a step of the largest takes many of them
    main()
