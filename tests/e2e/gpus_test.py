"""Cases that run on several GPUs, which the fake worker pretends to have."""

from support import FrontTest, normal

TRAIN = ("-d", "cuda", "--mode", "train")


def machine(gpus, *rules):
    return {"rules": [{"case": "probe", "actions": [{"probe": {"gpus": gpus}}]}, *rules]}


class Gpus(FrontTest):
    def run_on(self, gpus, *arguments, rules=(), **options):
        report = self.run_tiny(*arguments, session=machine(gpus, *rules), **options)
        self.validate("out.json")
        return report["cases"]

    def test_one_worker_a_gpu(self):
        one, two, four = self.run_on(4, *TRAIN, "-b", "8", "--gpus", "1,2,all", "--rendezvous-timeout", "20s")
        planned = self.report()["run"]["planned"]
        self.assertEqual([case["rendezvous_timeout_seconds"] for case in planned], [20] * 3)
        base = "tiny/train/cuda/b8/fp32/eager/synthetic"
        self.assertEqual([one["id"], two["id"], four["id"]], [base, f"{base}+gpus=2", f"{base}+gpus=4"])
        self.assertNotIn("ranks", one["launches"][0])
        for launch in four["launches"]:
            devices = [rank["device"] for rank in launch["ranks"]]
            self.assertEqual(devices, ["cuda", "cuda:1", "cuda:2", "cuda:3"])
            for rank in launch["ranks"]:
                self.assertEqual(len(rank["samples_seconds"]), 64)
                self.assertIn("compute_step_seconds", rank)

    def test_efficiency(self):
        slow = {"case": "/b8/", "actions": normal(step_seconds=0.008)}
        one, two = self.run_on(2, *TRAIN, "-b", "8", "--gpus", "1,2", "--bucket-size", "1MiB", rules=[slow])
        metrics = two["metrics"]
        self.assertAlmostEqual(metrics["scaling_efficiency"]["value"], 1, places=6)
        self.assertEqual(two["spec"]["bucket_bytes"], 1 << 20)
        self.assertIsNone(one["metrics"]["scaling_efficiency"]["value"])
        step = metrics["step_seconds"]["median"]
        self.assertAlmostEqual(metrics["communication_exposed_seconds"] / step, 0.1, delta=0.02)
        self.assertIn("On 2 GPUs, tiny trains 2.00 times as many rows a second as on 1", self.said.out)
        for word in ("GPUs", "efficiency"):
            self.assertIn(word, self.said.out.splitlines()[2])

    def test_strong_scaling_shares_the_batch(self):
        one, two = self.run_on(2, *TRAIN, "-b", "8", "--gpus", "1,2", "--scaling", "strong")
        self.assertEqual((one["spec"]["batch_size"], two["spec"]["batch_size"]), (8, 4))
        self.assertEqual(two["id"], "tiny/train/cuda/b4/fp32/eager/synthetic+gpus=2+scaling=strong")
        self.assertAlmostEqual(two["metrics"]["scaling_efficiency"]["value"], 1, places=6)

    def test_without_one_gpu_there_is_no_efficiency(self):
        (case,) = self.run_on(2, *TRAIN, "--gpus", "2")
        self.assertIn("add 1 to --gpus", case["notes"]["metrics.scaling_efficiency"])
        self.assertIn("add 1 to --gpus", self.said.out)

    def test_too_few_gpus(self):
        says = ["3 GPUs are needed, but 2 are usable here; lower --gpus"]
        run = ("run", "-m", "tiny.json", *TRAIN)
        self.expect_refused(*run, "--gpus", "3", says=says, code=3, session=machine(2))
        one, three = self.run_on(2, *TRAIN, "--gpus", "1,3", "-q")
        self.assertEqual([one["status"], three["status"]], ["ok", "unsupported"])
        self.assertIn(says[0], self.said.err)

    def test_refusals(self):
        run = ("run", "-m", "tiny.json", "--gpus", "2")
        for options, says in (
            (("-d", "cpu"), "--gpus: counts NVIDIA GPUs, but none of the devices is one"),
            (("-d", "cuda:1"), "--gpus: takes the first N GPUs, but the devices name cuda:1"),
            ((*TRAIN, "-b", "3", "--scaling", "strong"), "--batch-size: 2 processes cannot share 3 rows equally"),
            ((*TRAIN, "--ranks", "2"), "--ranks: counts processes on the CPU"),
        ):
            self.expect_refused(*run, *options, says=[says], session=machine(2))

    def test_comparisons_pair_cases_of_as_many_gpus(self):
        self.run_tiny(*TRAIN, "--gpus", "1,2", session=machine(2), report="a.json")
        self.run_tiny(*TRAIN, "--gpus", "2", session=machine(2), report="b.json")
        said = self.expect(0, "compare", "a.json", "b.json")
        self.assertIn("+gpus=2", said.out)
        self.assertIn("1 case", said.out + said.err)
