"""Tests of parity.py with a stand-in for mpsbench that is correct or has one fault."""

import os
import unittest
from unittest import mock

import support
import wanted
from folders import FolderTest

wanted.packages("torch", "safetensors")

import parity  # noqa: E402
import torch  # noqa: E402
from mpsbench_py import references  # noqa: E402


class AgainstStandIn(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.program = support.make_fake_mpsbench(self.folder)

    def run_parity(self, fault: str, *arguments: str) -> tuple[int, str]:
        with mock.patch.dict(os.environ, FAKE_FAULT=fault):
            return support.run(parity.main, "lenet5", "--mpsbench", self.program, *arguments)[:2]

    def test_equal_steps_pass_in_both_modes(self) -> None:
        code, table = self.run_parity("", "--batch", "3", "--seed", "5")
        self.assertEqual(code, 0, table)
        self.assertEqual(table.count(" ok\n"), 2, table)
        self.assertIn("61706", table)

    def test_each_fault_is_found_and_named(self) -> None:
        words = {
            "logits": "logits differ",
            "loss": "loss differs",
            "gradient": "gradients differ, most in classifier.0.bias",
            "nan": "gradients differ, most in classifier.0.bias",
            "gradient-name": "missing ['classifier.0.bias'], extra ['other']",
            "parameters": "61707 parameters instead of 61706",
            "exit": "exit 2, 0 cases: mpsbench: --weights: no such file",
            "status": "lenet5: crashed: ended by signal 11",
        }
        for fault, expected in words.items():
            with self.subTest(fault):
                code, table = self.run_parity(fault, "--mode", "train")
                self.assertEqual(code, 1)
                self.assertIn(expected, table)
                self.assertIn("1 miss ", table)

    def test_a_missing_program_says_how_to_get_it(self) -> None:
        self.program.unlink()
        code, table = self.run_parity("")
        self.assertEqual(code, 1)
        self.assertIn("scripts/mpsbench", table)


class References(unittest.TestCase):
    def test_a_seed_gives_the_same_weights_again(self) -> None:
        first, again, other = (references.build("mlp", seed) for seed in (1, 1, 2))
        self.assertTrue(torch.equal(first.fc1.weight, again.fc1.weight))
        self.assertFalse(torch.equal(first.fc1.weight, other.fc1.weight))

    def test_parameter_counts_are_the_published_ones(self) -> None:
        for name, parameters in {"mlp": 658698, "mlp-mnist": 242314, "lenet5": 61706}.items():
            model = references.build(name, 1)
            self.assertEqual(sum(parameter.numel() for parameter in model.parameters()), parameters)

    def test_no_constant_tensor_is_left_for_a_mix_up(self) -> None:
        model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 1), torch.nn.BatchNorm2d(4))
        references.spread_constants(model, 1)
        for name, tensor in model.state_dict().items():
            if tensor.is_floating_point():
                self.assertGreater(tensor.max().item(), tensor.min().item(), name)
        self.assertGreater(model[1].running_var.min().item(), 0)

    def test_optimizers_take_the_settings_of_a_report(self) -> None:
        model = references.build("mlp", 1)
        adamw = {"lr": 0.1, "beta1": 0.8, "beta2": 0.9, "eps": 1e-6, "weight_decay": 0.5, "amsgrad": 0.0}
        made = references.optimizer("adamw", adamw, model, fused=True)
        self.assertEqual(made.defaults["betas"], (0.8, 0.9))
        self.assertIs(made.defaults["amsgrad"], False)
        self.assertTrue(made.defaults["fused"])
        sgd = {"lr": 0.1, "momentum": 0.9, "dampening": 0.0, "weight_decay": 0.0, "nesterov": 1.0}
        self.assertTrue(references.optimizer("sgd", sgd, model, fused=False).defaults["nesterov"])

    def test_unknown_names_are_refused(self) -> None:
        with self.assertRaises(references.UnknownError):
            references.build("resnet42", 1)
        with self.assertRaises(references.UnknownError):
            references.optimizer("lion", {}, references.build("mlp", 1), fused=False)
