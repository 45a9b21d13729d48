"""Tests the stand-in's memory: its limit, its largest buffer, and what happens if an allocation fails."""

from standin import TINY, StandinTest

MIB = 1 << 20
ROW = 16 * MIB  # so large that small tensors do not matter


class Memory(StandinTest):
    def setUp(self):
        super().setUp()
        fc = {"type": "linear", "name": "fc", "out_features": "$classes"}
        row = [{"name": "input", "dtype": "float32", "shape": [ROW // 4]}]
        self.write("wide.json", TINY | {"parameters": {"classes": 3}, "inputs": row, "layers": [fc], "batch_size": 4})

    def allow(self, size, buffer=None):
        self.env["MPSBENCH_STANDIN_MEMORY_BYTES"] = str(size)
        self.env["MPSBENCH_STANDIN_LARGEST_BUFFER_BYTES"] = str(buffer or size)

    def out_of_memory(self, *arguments):
        report = self.run_mps("--mode", "infer", *arguments, model="wide.json", code=5)
        status, failure = self.failure(report)
        self.assertEqual((status, failure["kind"]), ("oom", "oom"))
        self.assertIn("lower --batch-size", failure["message"])
        return failure

    def test_the_limit(self):
        self.allow(400 * MIB)
        failure = self.out_of_memory("-b", "20")
        self.assertIn("MPS backend out of memory", failure["detail"])
        self.assertIn("asked for 320.00 MiB", failure["message"])
        self.assertIn("360.00 MiB allowed", failure["message"])  # nine tenths of the limit

    def test_the_largest_buffer(self):
        self.allow(1024 * MIB, buffer=128 * MIB)
        failure = self.out_of_memory("-b", "20")
        self.assertIn("Invalid buffer size: 320.00 MiB", failure["detail"])
        self.assertIn("320.00 MiB", failure["message"])

    def test_the_largest_batch(self):
        self.allow(200 * MIB)
        report = self.run_mps("--mode", "infer", "-b", "max", model="wide.json")
        fits, too_large = report["cases"]
        self.assertEqual((fits["status"], too_large["status"]), ("ok", "oom"))
        self.assertEqual(fits["spec"]["batch_size"] + 1, too_large["spec"]["batch_size"])
        weights = 3 * ROW
        self.assertLessEqual(weights + fits["spec"]["batch_size"] * ROW, 180 * MIB)
        self.assertGreaterEqual(fits["launches"][0]["peak_device_bytes"], weights + fits["spec"]["batch_size"] * ROW)

    def test_figures_of_the_allocator(self):
        self.allow(1024 * MIB)
        report = self.expect_ok(self.run_mps("--mode", "infer", "-b", "2", model="wide.json"))
        (launch,) = self.launches(report)
        self.assertGreaterEqual(launch["peak_device_bytes"], 5 * ROW)
        self.assertLess(launch["peak_device_bytes"], 5 * ROW + MIB)
        self.assertGreaterEqual(launch["peak_reserved_bytes"], launch["peak_device_bytes"])
