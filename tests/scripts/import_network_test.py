"""Imports networks, and compares their definitions, as mpsbench (the argument) runs them, with the networks."""

import importlib
import json
import sys
from pathlib import Path
from unittest import mock

import wanted
from folders import FolderTest
from support import run

wanted.packages("torch", "torchvision", "transformers", "safetensors")

import import_network  # noqa: E402
import torch  # noqa: E402
from mpsbench_py import (  # noqa: E402
    environment,
    import_sources,
    references,
    runner,
    transformers_models,
)
from safetensors import safe_open  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

PROGRAM = sys.argv.pop(1)
OWN = Path(__file__).with_name("imported_modules.py")

SMALL = ("vocab_size=97", "hidden_size=32", "num_hidden_layers=3", "num_attention_heads=4", "intermediate_size=48")
LLAMA3 = {"rope_type": "llama3", "rope_theta": 5e5, "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA3 |= {"original_max_position_embeddings": 8192}


def settings(*words: str) -> list[str]:
    return [part for word in words for part in ("--set", word)]


def all_types(entries: list[dict]) -> list[str]:
    found = []
    for one in entries:
        found += [one["type"]] if "type" in one else all_types(one["layers"])
    return found


def entries_of(definition: dict, kind: str) -> list[dict]:
    """The layers of a type, those of repeated groups once."""
    found: list[dict] = []
    waiting = list(definition["layers"])
    while waiting:
        one = waiting.pop(0)
        waiting[:0] = one.get("layers", [])
        found += [one] if one.get("type") == kind else []
    return found


class ImportTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        torch.set_num_threads(1)
        self.output = self.folder / "network.json"

    def imported(self, *words: object, note: str = "") -> dict:
        code, out, err = run(import_network.main, *words, "-o", self.output)
        self.assertEqual((code, out), (0, ""), err)
        self.assertIn(note, err)
        self.assertEqual(bool(err), bool(note), err)
        return json.loads(self.output.read_text(encoding="utf-8"))

    def refused(self, code: int, *words: object) -> str:
        found, out, err = run(import_network.main, *words, "-o", self.output)
        self.assertEqual((found, out), (code, ""), err)
        self.assertFalse(self.output.exists())
        return err

    def check(self, *words: object, batches: tuple = (5,), note: str = "", tokens: int = 0) -> dict:
        """Imports a network, and compares its logits at BATCHES, and at another one with TOKENS."""
        definition = self.imported(*words, note=note)
        arguments = import_network.parse([str(word) for word in words])
        module = import_sources.network_of(arguments.source, dict(arguments.set), arguments.input).module.eval()
        with torch.no_grad():
            running = [one for name, one in module.named_buffers() if name.rpartition(".")[2].startswith("running")]
            for tensor in [*module.parameters(), *running]:
                if tensor.min() == tensor.max():  # otherwise nobody would notice if two of them are swapped
                    tensor.add_(torch.rand_like(tensor) * 0.1)
        for batch in batches:
            with self.subTest(batch=batch):
                self.compare(module, batch)
        if tokens:
            self.compare(module, 3, "--max-length", str(tokens))
        return definition

    def compare(self, module: torch.nn.Module, batch: int, *words: str) -> None:
        weights, dump = self.folder / "weights.safetensors", self.folder / "step.safetensors"
        save_file(transformers_models.unshared(module.state_dict()), weights)
        options = [
            "--model",
            str(self.output),
            "--mode",
            "infer",
            "--device",
            "cpu",
            "--batch-size",
            str(batch),
            *words,
        ]
        options += ["--threads", "1", "--warmup", "0", "--max-time", "1s", "--dropout", "0"]
        options += ["--weights", str(weights), "--dump-first-step", str(dump)]
        runner.run_case(PROGRAM, options, self.folder / "report.json")
        taken = {name.split(".")[0] for name in module.state_dict()}
        with safe_open(dump, framework="pt") as step, torch.no_grad():
            names = [name for name in step.keys() if references.is_input(name)]  # noqa: SIM118
            given = {name.removesuffix("_input"): step.get_tensor(name) for name in names}
            ours = step.get_tensor("logits")
            self.assertTrue(all(name not in taken for name in names))
            theirs = module(**given)
        theirs = theirs if isinstance(theirs, torch.Tensor) else next(iter(theirs.values()))
        self.assertEqual(ours.shape, theirs.shape)
        self.assertLess(float((ours - theirs).abs().max() / theirs.abs().max()), 1e-5)


class Torchvision(ImportTest):
    def check_image(self, name: str, *words: object) -> dict:
        return self.check(f"torchvision:{name}", *(words or ("--input", "3,64,64")))

    def test_residual_networks_do_the_work_of_the_bundled_definition(self) -> None:
        definition = self.check_image("resnet18")
        bundled = json.loads((environment.ROOT / "models/resnet18.json").read_text(encoding="utf-8"))
        definitions = {"ours.json": definition, "theirs.json": bundled | {"inputs": definition["inputs"]}}
        plans = []
        for name, content in definitions.items():
            options = ["--model", str(self.write(name, content)), "--mode", "train", "-b", "2", "--max-time", "1s"]
            metrics = runner.run_case(PROGRAM, options, self.folder / "report.json")["metrics"]
            plans.append((metrics["parameters"], metrics["flops_per_step"]))
        self.assertEqual(plans[0], plans[1])
        self.assertEqual(definition["parameters"], {"classes": 1000})
        self.assertEqual(definition["layers"][0]["weight_init"], "kaiming_normal_fan_out")
        self.assertEqual((definition["loss"], definition["optimizer"]["name"]), ("cross_entropy", "sgd"))

    def test_plain_and_mobile_networks(self) -> None:
        definition = self.check_image("vgg11_bn")
        self.assertEqual(definition["parameters"], {"classes": 1000, "dropout": 0.5})
        self.check_image("mobilenet_v2")
        self.check_image("squeezenet1_1")

    def test_stochastic_depth_and_squeeze_blocks(self) -> None:
        depths = entries_of(self.check_image("efficientnet_b0"), "stochastic_depth")
        self.assertEqual([one["p"] for one in depths][:2], [0.025, 0.05])
        self.check_image("convnext_tiny")

    def test_connections_to_all_earlier_layers(self) -> None:
        self.check_image("densenet121")

    def test_vision_transformer(self) -> None:
        definition = self.check_image("vit_b_16", "--set", "image_size=64")
        self.assertEqual(definition["inputs"][0]["shape"], [3, 64, 64])
        token = entries_of(definition, "parameter")[0]
        self.assertEqual((token["name"], token["shape"], token["expand"]), ("class_token", [1, 1, 768], True))
        self.assertEqual(entries_of(definition, "linear")[0]["separator"], "_")
        repeated = definition["layers"][5]["layers"][2]["layers"]
        self.assertEqual([(one["name"], one["repeat"]) for one in repeated], [("encoder_layer_{i}", 12)])

    def test_what_is_missing_is_listed(self) -> None:
        said = self.refused(1, "torchvision:swin_t", "--input", "3,64,64")
        lines = said.splitlines()
        self.assertIn("torchvision:swin_t: mpsbench has no layers for", lines[0])
        self.assertIn("  4 x masked_fill, in ShiftedWindowAttention; first in 'features.1.1.attn'", lines)
        self.assertGreater(len(lines), 5)

    def test_other_sizes_and_classes(self) -> None:
        definition = self.imported("torchvision:alexnet", "--set", "num_classes=7", "--name", "mine", "--batch-size", 4)
        self.assertEqual((definition["name"], definition["batch_size"]), ("mine", 4))
        self.assertEqual(definition["parameters"]["classes"], 7)


class Transformers(ImportTest):
    def check_texts(self, name: str, *words: str, tokens: int = 9) -> dict:
        return self.check(f"transformers:{name}", *settings(*SMALL, *words), "--input", "12:97", tokens=tokens)

    def test_bert_has_its_usual_inputs(self) -> None:
        definition = self.check("transformers:BertForSequenceClassification", *settings(*SMALL), tokens=9)
        names = [(one["name"], one["fill"]) for one in definition["inputs"]]
        self.assertEqual(names, [("input_ids", "integers"), ("attention_mask", "ones"), ("token_type_ids", "zeros")])
        self.assertEqual(definition["parameters"], {"classes": 2, "dropout": 0.1, "tokens": 128})
        self.assertEqual(definition["optimizer"]["name"], "adamw")

    def test_gpt2(self) -> None:
        words = ("vocab_size=97", "n_embd=32", "n_layer=2", "n_head=4", "n_positions=64")
        definition = self.check("transformers:GPT2LMHeadModel", *settings(*words), tokens=9)
        self.assertEqual(definition["loss"], "next_token_cross_entropy")
        self.assertEqual(definition["layers"][-1]["weight_from"], "transformer.wte")
        self.assertTrue(entries_of(definition, "linear")[0]["transposed"])
        self.assertEqual(entries_of(definition, "gelu")[0]["approximate"], "tanh")

    def test_llama_and_its_relatives(self) -> None:
        definition = self.check_texts("LlamaForCausalLM", "num_key_value_heads=2")
        types = all_types(definition["layers"])
        self.assertEqual((types.count("rope"), types.count("rms_norm")), (2, 3))
        self.assertTrue(entries_of(definition, "scaled_dot_product_attention")[0]["is_causal"])
        scaling = f"rope_parameters={json.dumps(LLAMA3)}"
        definition = self.check_texts("LlamaForCausalLM", scaling, "tie_word_embeddings=true")
        rope = entries_of(definition, "rope")[0]
        self.assertEqual((rope["theta"], rope["llama3"]), (500000, [32.0, 1.0, 4.0, 8192]))
        self.check_texts("Qwen3ForCausalLM", "num_key_value_heads=2", "head_dim=8")
        self.check_texts("Phi3ForCausalLM", "pad_token_id=0")
        rope = {"rope_type": "default", "rope_theta": 10000, "partial_rotary_factor": 0.5}
        definition = self.check_texts("GPTNeoXForCausalLM", f"rope_parameters={json.dumps(rope)}")
        self.assertEqual(entries_of(definition, "rope")[0]["size"], 4)

    def test_windows_and_scaled_words(self) -> None:
        words = ("num_key_value_heads=2", "head_dim=8", "sliding_window=5", "num_hidden_layers=6")
        definition = self.check_texts("Gemma3ForCausalLM", *words, tokens=0)
        windows = [one.get("window") for one in entries_of(definition, "scaled_dot_product_attention")]
        self.assertEqual(set(windows), {5, None})
        self.assertNotIn("tokens", definition.get("parameters", {}))

    def test_positions_that_start_later(self) -> None:
        # Its logits differ where a random token is the padding, which transformers leaves out when it numbers.
        definition = self.imported("transformers:RobertaForSequenceClassification", *settings(*SMALL))
        self.assertEqual(entries_of(definition, "position_ids")[0]["start"], 2)

    def test_images(self) -> None:
        words = ("image_size=32", "patch_size=8", *SMALL[1:])
        self.check("transformers:ViTForImageClassification", *settings(*words))

    def test_a_file_with_a_configuration(self) -> None:
        content = {"architectures": ["BertForMaskedLM"], "model_type": "bert", "vocab_size": 97, "hidden_size": 32}
        content |= {"num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
        self.write("folder/config.json", content)
        definition = self.imported(f"transformers:{self.folder / 'folder'}", "--set", "num_hidden_layers=1")
        self.assertEqual((definition["name"], definition["loss"]), ("BertForMaskedLM", "token_cross_entropy"))

    def test_tensors_that_the_output_does_not_need_are_named(self) -> None:
        self.check("transformers:BertModel", *settings(*SMALL), note="pooler.dense.weight, pooler.dense.bias")

    def test_shared_layers_and_experts_are_missing(self) -> None:
        said = self.refused(1, "transformers:AlbertForSequenceClassification", *settings(*SMALL))
        self.assertIn("12 x linear with weights that an earlier layer has", said)
        words = settings(*SMALL, "num_key_value_heads=2")
        self.assertIn("topk", self.refused(1, "transformers:MixtralForCausalLM", *words))


class OwnModules(ImportTest):
    def check_own(self, name: str, *words: object, **others: int) -> dict:
        return self.check(f"{OWN}:{name}", *words, **others)

    def test_residual_layers(self) -> None:
        definition = self.check_own("Residual", "--input", "12")
        self.assertEqual(
            (definition["name"], definition["source"]),
            ("Residual", "layers and names as Residual of imported_modules.py"),
        )
        self.assertEqual(definition["parameters"], {"classes": 5, "dropout": 0.1})
        self.assertEqual([one["inplace"] for one in entries_of(definition, "silu")], [True, True])

    def test_images_with_squeeze_blocks(self) -> None:
        definition = self.check_own("Images", "--input", "3x16x16")
        body = definition["layers"][2]["layers"]
        repeats = [(one["name"], one.get("repeat"), one.get("from")) for one in body]
        self.assertEqual(repeats, [("{i}", 2, None), ("2", None, None), ("{i}", 2, 3)])
        self.assertTrue(all(one["inplace"] for one in entries_of(definition, "add")))

    def test_texts(self) -> None:
        definition = self.check_own("Texts", "--input", "12:50", tokens=9)
        self.assertEqual(definition["loss"], "token_cross_entropy")
        definition = self.check_own("causal_texts", "--input", "ids=12:50", tokens=9)
        self.assertEqual(definition["loss"], "next_token_cross_entropy")
        encoder = next(one for one in definition["layers"] if one.get("name") == "encoder")
        self.assertEqual(encoder["layers"][0]["layers"][0]["repeat"], 3)

    def test_attention_with_weights_and_learned_tensors(self) -> None:
        definition = self.check_own("Patches", "--input", "6,10")
        self.assertIn("matmul", all_types(definition["layers"]))
        inits = [one.get("init") for one in entries_of(definition, "parameter")]
        self.assertEqual(inits, [None, {"normal": 0.02}, {"constant": 1e-06}])
        self.assertEqual(entries_of(definition, "scale")[-1]["factor"], 0.5)

    def test_images_that_are_rolled_and_grow(self) -> None:
        definition = self.check_own("Grown", "--input", "3x8x8")
        self.assertEqual(entries_of(definition, "conv_transpose2d")[0]["padding"], [0, 1])
        self.assertEqual(entries_of(definition, "roll")[0]["shifts"], [1, -2])
        self.assertEqual(entries_of(definition, "scale")[0]["offset"], 1)

    def test_in_place_operations(self) -> None:
        definition = self.check_own("Changed", "--input", "6")
        self.assertNotIn("inplace", entries_of(definition, "relu")[0])
        self.assertNotIn("inplace", entries_of(definition, "silu")[0])
        self.assertNotIn("inplace", entries_of(definition, "hardswish")[0])

    def test_what_is_missing_is_listed_with_its_place(self) -> None:
        said = self.refused(1, f"{OWN}:Strange", "--input", "6")
        self.assertIn("  2 x softplus, in Softplus; first in 'a.1'\n  1 x cumsum, in Strange\n", said)

    def test_what_no_definition_can_say(self) -> None:
        cases = {
            "Twice": "linear with weights that an earlier layer has",
            "Split": "the module 'pair' in two parts",
            "Overwritten": "a view of what an in-place operation changed",
            "Batch": "a number that depends on the batch size",
        }
        for name, words in cases.items():
            with self.subTest(name):
                self.assertIn(words, self.refused(1, f"{OWN}:{name}", "--input", "6"))

    def test_without_a_file_it_goes_to_standard_output(self) -> None:
        code, out, err = run(import_network.main, f"{OWN}:Residual", "--input", "12", "--loss", "mse")
        self.assertEqual((code, err), (0, ""))
        definition = json.loads(out)
        self.assertEqual((definition["loss"], definition["parameters"]), ("mse", {"dropout": 0.1}))
        self.assertLess(max(map(len, out.splitlines())), 170)


class Errors(ImportTest):
    def test_each_is_one_line(self) -> None:
        bare = self.write("bare.json", {"model_type": "bert"})
        broken = self.write("broken.json", "{")
        cases = {
            ("torchvision:resnet19",): "torchvision:resnet19: torchvision.models has no such network",
            ("torchvision:resnet18", "--set", "depth=3"): "unexpected keyword argument 'depth'",
            ("transformers:NoSuchModel",): "'NoSuchModel' is neither a file nor a network's class",
            ("transformers:BertModel", "--set", "depth=3"): "--set depth: BertConfig has no such setting",
            (f"transformers:{bare}",): 'bare.json: "architectures" is missing; add',
            (f"transformers:{broken}",): "broken.json: JSONDecodeError",
            ("resnet18",): "SOURCE is torchvision:NAME, transformers:NAME or FILE.py:FUNCTION",
            (f"{OWN}:NoSuch",): "imported_modules.py: has no function or class 'NoSuch'",
            (f"{OWN}:make_nothing",): "returns a int; it must return an nn.Module",
            (f"{OWN}:make_wrong",): "make_wrong: ValueError: two words",
            (f"{OWN}:Residual",): "give --input",
            (f"{OWN}:Residual", "--set", "a=1"): "--set: ",
            (f"{OWN}:Residual", "--input", "y=12"): "--input y: forward takes x",
            (f"{OWN}:Residual", "--input", "12", "--input", "12"): "forward takes x",
            (f"{OWN}:Residual", "--input", "13"): "torch.export cannot trace it; perhaps it needs another --input",
            (f"{OWN}:Unused", "--input", "6", "--input", "6"): "--input y: the output does not depend on it",
        }
        for words, said in cases.items():
            with self.subTest(words):
                err = self.refused(2, *words)
                self.assertIn(said, err)
                self.assertEqual(err.count("\n"), 1, err)

    def test_options(self) -> None:
        options = (("--input", "3,,4"), ("--input", "0"), ("--input", "a:0"), ("--set", "a"), ("--loss", "l1"))
        for words in (*options, ("--batch-size", "0"), ("--name", "a b")):
            with self.subTest(words):
                self.assertIn(words[0], self.refused(2, "torchvision:resnet18", *words).splitlines()[-1])

    def test_a_folder_that_does_not_exist(self) -> None:
        self.output = self.folder / "none/network.json"
        self.assertIn("none/network.json", self.refused(2, f"{OWN}:Residual", "--input", "12"))

    def test_without_torch(self) -> None:
        nothing = {"has": lambda modules: False, "has_there": lambda environment, modules: False}
        with mock.patch.multiple(environment, **nothing):
            code, _, err = run(lambda _: importlib.reload(import_network))
        self.assertEqual(code, 2)
        self.assertIn("torch is missing: scripts/test sets it up, or pip install torch", err)
