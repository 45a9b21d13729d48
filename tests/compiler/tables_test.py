"""The compiler knows the layer types and losses of definitions."""

import json
import unittest

import support
import wanted

wanted.packages("torch")

import layers  # noqa: E402
import network  # noqa: E402

SCHEMA = json.loads((support.ROOT / "configs/schema/model.schema.json").read_text(encoding="utf-8"))


class Tables(unittest.TestCase):
    def test_it_knows_each_layer_type_but_networks_in_files(self) -> None:
        types = {one["$ref"].rpartition("/")[2] for one in SCHEMA["$defs"]["layer"]["oneOf"]}
        self.assertEqual(set(layers.FUNCTIONS), types - {"torchscript", "aotinductor"})

    def test_it_knows_each_loss(self) -> None:
        self.assertEqual(set(network.LOSSES), set(SCHEMA["properties"]["loss"]["enum"]))


if __name__ == "__main__":
    unittest.main()
