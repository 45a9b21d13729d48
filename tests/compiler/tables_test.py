"""The compiler knows the layer types, losses and inputs of definitions."""

import json
import unittest

import support
import wanted

wanted.packages("torch")

import layers  # noqa: E402
import network  # noqa: E402
import torch  # noqa: E402

SCHEMA = json.loads((support.ROOT / "configs/schema/model.schema.json").read_text(encoding="utf-8"))


class Tables(unittest.TestCase):
    def test_it_knows_each_layer_type_but_networks_in_files(self) -> None:
        types = {one["$ref"].rpartition("/")[2] for one in SCHEMA["$defs"]["layer"]["oneOf"]}
        self.assertEqual(set(layers.FUNCTIONS), types - {"torchscript", "aotinductor"})

    def test_it_knows_each_loss(self) -> None:
        self.assertEqual(set(network.LOSSES), set(SCHEMA["properties"]["loss"]["enum"]))

    def test_images_of_any_type_are_in_channels_last_order(self) -> None:
        inputs = [{"shape": [2, 3, 4, 4], "dtype": name} for name in ("float32", "int64")]
        made = network.Network({"inputs": inputs, "nodes": []}, False, False).inputs("cpu", channels_last=True)
        self.assertEqual([one.dtype for one in made], [torch.float32, torch.int64])
        for one in made:
            self.assertTrue(one.is_contiguous(memory_format=torch.channels_last), one.dtype)
