"""What `run --dry-run` plans, and what it refuses before anything runs."""

from support import SOURCE, FrontTest


class Plans(FrontTest):
    def ids(self, *arguments):
        lines = self.expect(0, "run", *arguments, "--dry-run").out.splitlines()
        return [line.split()[0] for line in lines[:-1]]

    def test_a_matrix(self):
        ids = self.ids("-m", "mlp,lenet5", "-b", "1-4*2,7", "--precision", "fp32,bf16", "--mode", "infer")
        expected = {
            f"{model}/infer/cpu/b{size}/{precision}/eager/synthetic"
            for model in ("mlp", "lenet5")
            for size in (1, 2, 4, 7)
            for precision in ("fp32", "bf16")
        }
        self.assertEqual((len(ids), set(ids)), (len(expected), expected))

    def test_all_models(self):
        self.assertEqual(len(self.ids("-m", "all", "--mode", "infer")), len(list((SOURCE / "models").glob("*.json"))))

    def test_the_id_names_what_is_not_at_its_default(self):
        (found,) = self.ids("-m", "tiny.json", "--mode", "train", "--seed", "3", "--channels-last", "--rows", "1000")
        self.assertEqual(found, "tiny/train/cpu/b4/fp32/eager/synthetic+channels-last=true+seed=3")

    def test_filter(self):
        self.assertEqual(len(self.ids("quick", "--filter", "^(mlp|lenet5)/infer/")), 2)
        self.expect_refused("run", "quick", "--filter", "nothing", says=["--filter"])

    def test_twice_the_same_case(self):
        for arguments, where in (
            (("-m", "mlp", "--mode", "train,train"), "--mode: 'train' appears twice; remove one"),
            (("-m", "mlp", "--precision", "fp32,bf16,fp32"), "--precision: 'fp32' appears twice; remove one"),
            (("-m", "mlp", "--threads", "1-3,3"), "--threads: '3' appears twice; remove one"),
            (("quick", "quick"), "the suite 'quick' appears twice; remove one"),
        ):
            self.expect_refused("run", *arguments, says=[where])
        self.assertEqual(len(self.ids("-m", "tiny.json,tiny.json", "-b", "1-4*2,4", "--mode", "infer")), 3)

    def test_a_dry_run_writes_nothing(self):
        before = self.files()
        self.ids("quick", "--export-json", "new/r.json")
        self.assertEqual(self.files(), before)

    def test_a_dry_run_checks_what_the_run_would(self):
        self.write("taken.jsonl", "")
        for arguments in (
            ("--export-json", "tiny.json/r.json"),
            ("--export-json", "taken.json"),
            ("--versus", "no/such/worker", "--export-json", "out.json"),
            ("--baseline", "no_such.json"),
            ("--baseline", "no_such.json", "-b", "max"),
        ):
            says = [arguments[1].removesuffix(".json")]
            run = self.expect_refused("run", "-m", "tiny.json", *arguments, says=says)
            plan = self.expect_refused("run", "-m", "tiny.json", *arguments, "--dry-run", says=says)
            self.assertEqual(plan.err, run.err)

    def test_a_case_that_cannot_be(self):
        for arguments, option in (
            (("-m", "tiny.json", "-b", "2000", "--epochs", "1", "--mode", "train"), "--epochs"),
            (("-m", "tiny.json", "-b", "100000000000000"), "batch"),
            (("-m", "vgg16", "-b", "10000000"), "--batch-size"),
            (("-m", "tiny.json,mlp", "--dump-first-step", "d.safetensors"), "--dump-first-step"),
            (("-m", "mlp", "--dropout", "0.5"), "--dropout"),
            (("-m", "tiny.json", "--classes", "9000000000000000000"), "--classes"),
            (("-m", "tiny.json", "-b", "1-1000", "-r", "10000"), "--repeats"),
        ):
            self.expect_refused("run", *arguments, says=[option])
