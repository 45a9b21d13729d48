"""What the steps of a run with files take: an epoch's last batch, and texts that are tokenised in the step."""

from dataset_files import DatasetFiles


class Batches(DatasetFiles):
    def test_a_last_batch_that_is_not_full_is_kept_where_that_is_asked_for(self):
        folder = self.make("mnist", 400, 50)
        keep = ("-b", "32", "--last-batch", "keep")
        case, _ = self.train(folder, *keep, "--epochs", "2")
        (launch,) = case["launches"]
        self.assertEqual([(one["steps"], one["rows"]) for one in launch["epochs"]], [(12, 360)] * 2)
        self.assertEqual([one["rows"] for one in launch["evaluations"][:2]], [360, 40])
        self.assertTrue(case["id"].endswith("+last-batch=keep"), case["id"])
        self.assertEqual(case["spec"]["last_batch"], "keep")
        rate = 720 / sum(one["seconds"] for one in launch["epochs"])
        self.assertAlmostEqual(case["metrics"]["rows_per_second"]["value"] / rate, 1)
        self.assertIsNotNone(case["metrics"]["data_wait_share"])
        self.validate("out.json")
        data = ("run", "-m", "lenet5", "--mode", "data", "--dataset", "mnist", "--data-dir", folder, "-r", "1")
        self.expect(0, *data, *keep, "--epochs", "1", "--export-json", "out.json")
        (epoch,) = self.report()["cases"][0]["launches"][0]["epochs"]
        self.assertEqual((epoch["steps"], epoch["rows"]), (12, 360))
        options = ("run", "-m", "lenet5", "--mode", "train", "-d", "cpu", "--dataset", "mnist", "--data-dir", folder)
        self.expect_refused(*options, *keep, says=["--last-batch", "--epochs N"])
        self.expect_refused(*options, *keep, "--iterations", "3", says=["--last-batch", "--epochs N"])
        graph = ("--epochs", "1", "--engine", "graph")
        self.expect_refused(*options, *keep, *graph, says=["--last-batch", "--engine graph", "--engine eager"])

    def test_the_bert_presets_have_the_steps_of_the_notebooks(self):
        folder = self.make_texts(rows=1200)
        for preset, steps in (("bert-train-full", 32), ("bert-train-head", 16)):
            tiny = ("-m", "bert-tiny", "--max-length", "16", "-d", "cpu", "--data-dir", folder)
            self.expect(0, "run", preset, *tiny, "--filter", "keep", "--export-json", "out.json")
            (case,) = self.report()["cases"]
            (epoch,) = case["launches"][0]["epochs"]
            self.assertEqual((epoch["steps"], epoch["rows"]), (steps, 1000))
        self.assertIn("+last-batch=keep", case["id"])
        for more in (("--iterations", "3"), ("--dataset", "synthetic", "--epochs", "1", "--max-batches", "1")):
            more += () if "synthetic" in more else ("--data-dir", folder)
            said = self.expect(0, "run", "bert-train-head", "-m", "bert-tiny", "-d", "cpu", *more, "--dry-run")
            self.assertNotIn("keep", said.out)

    def test_texts_can_be_tokenised_in_the_step(self):
        folder = self.make_texts()
        first = []
        for when in ("once", "batch"):
            more = ("--tokenize", when, "--dump-first-step", "step.safetensors")
            case, _ = self.run_texts(folder, *more)
            first.append(self.tensors("step.safetensors")["input_ids"])
            self.assertEqual(case["spec"]["tokenize"], when)
            self.assertEqual(case["id"].endswith("+tokenize=batch"), when == "batch", case["id"])
        self.assertEqual(first[0], first[1])
        case, _ = self.run_texts(folder, "--tokenize", "batch", mode="data")
        self.assertEqual((case["status"], case["spec"]["tokenize"]), ("ok", "batch"))
        self.validate("out.json")
