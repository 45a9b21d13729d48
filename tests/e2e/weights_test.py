"""Tests `--weights` with files like those of the Hugging Face Hub, and with numbers that are not finite."""

import wanted
from real_worker import BATCH, RealWorker

wanted.packages("torch", "safetensors")

import torch  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

OPTIONS = ("-b", "2", "-d", "cpu", "--mode", "infer", "--max-length", "16", *BATCH)


def bert_tiny():
    """The shapes of bert-tiny's tensors, named as transformers' BertForSequenceClassification does."""
    shapes = {
        "bert.embeddings.word_embeddings.weight": (30522, 128),
        "bert.embeddings.position_embeddings.weight": (512, 128),
        "bert.embeddings.token_type_embeddings.weight": (2, 128),
    }

    def add(name, outputs, inputs=None):
        shapes[f"{name}.weight"] = (outputs, inputs) if inputs else (outputs,)
        shapes[f"{name}.bias"] = (outputs,)

    add("bert.embeddings.LayerNorm", 128)
    for layer in (f"bert.encoder.layer.{number}" for number in range(2)):
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            add(f"{layer}.attention.{part}", 128, 128)
        add(f"{layer}.attention.output.LayerNorm", 128)
        add(f"{layer}.intermediate.dense", 512, 128)
        add(f"{layer}.output.dense", 128, 512)
        add(f"{layer}.output.LayerNorm", 128)
    add("bert.pooler.dense", 128, 128)
    add("classifier", 6, 128)
    return shapes


class Weights(RealWorker):
    @classmethod
    def setUpClass(cls):
        torch.manual_seed(1)
        cls.state = {name: 0.1 * torch.randn(shape) for name, shape in bert_tiny().items()}

    def measure(self, *options, code=0):
        return self.run_tiny("--weights", "w.safetensors", *OPTIONS, *options, model="bert-tiny", code=code)

    def write_weights(self, state, name="w.safetensors"):
        save_file({key: value.contiguous().clone() for key, value in state.items()}, str(self.work / name))

    def logits(self):
        self.measure("--dump-first-step", "step.safetensors")
        return self.tensors("step.safetensors")["logits"]

    def test_takes_the_names_of_other_programs(self):
        self.write_weights(self.state)
        expected = self.logits()
        bare = {name.removeprefix("bert."): value for name, value in self.state.items()}
        old = {
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
            for name, value in self.state.items()
        }
        wrapped = {f"module.{name}": value for name, value in self.state.items()}
        for kind, names in (("bare", bare), ("old", old), ("wrapped", wrapped)):
            with self.subTest(kind):
                self.write_weights(names)
                self.assertEqual(self.logits(), expected)
        name = "bert.embeddings.LayerNorm.bias"
        self.write_weights(self.state | {name: self.state[name] + 1})
        self.assertNotEqual(self.logits(), expected)

    def test_draws_a_missing_head_and_says_so(self):
        pretrained = {name: value for name, value in self.state.items() if not name.startswith("classifier")}
        pretrained["cls.predictions.bias"] = torch.zeros(30522)
        pretrained["cls.seq_relationship.weight"] = torch.zeros(2, 128)
        self.write_weights(pretrained)
        report = self.measure()
        said = self.said.err
        self.assertIn("drawn, because the file lacks them: classifier.weight, classifier.bias", said)
        self.assertIn("left over in the file: cls.predictions.bias, cls.seq_relationship.weight", said)
        self.assertEqual(said.count("drawn, because"), 1)
        note = report["cases"][0]["launches"][0]["sensor_notes"]["weights"]
        self.assertIn("classifier.weight", note)
        self.validate("out.json")

    def test_a_missing_body_is_an_error(self):
        state = dict(self.state)
        del state["bert.encoder.layer.0.output.dense.weight"]
        self.write_weights(state)
        says = ["missing: bert.encoder.layer.0.output.dense.weight"]
        self.expect_refused("run", "-m", "bert-tiny", "--weights", "w.safetensors", *OPTIONS, says=says)

    def test_numbers_that_are_not_finite_are_no_result(self):
        for value in (float("nan"), float("inf")):
            state = dict(self.state)
            state["classifier.bias"] = torch.tensor([0, 1, value, 2, 3, 4.0])
            self.write_weights(state)
            for case in self.measure("--precision", "fp32,bf16", code=5)["cases"]:
                self.assertEqual((case["status"], case["failure"]["kind"]), ("failed", "wrong_output"))
                told = "the weights 'classifier.bias' have values that are not finite"
                self.assertIn(told, case["failure"]["message"])
        # Finite weights may have an output that is not.
        state["classifier.bias"] = torch.zeros(6)
        state["classifier.weight"] = torch.full((6, 128), 3e38)
        state["bert.pooler.dense.bias"] = torch.full((128,), 9.0)
        self.write_weights(state)
        failure = self.measure(code=5)["cases"][0]["failure"]
        self.assertEqual(failure["kind"], "wrong_output")
        self.assertIn("the output of the first step", failure["message"])
