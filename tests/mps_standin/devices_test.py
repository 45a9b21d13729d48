"""Tests what the front does on a machine with MPS: its choice of devices, doctor, and single operations."""

import json

from standin import StandinTest


class Devices(StandinTest):
    def devices_of(self, choice):
        report = self.expect_ok(self.run_mps("--mode", "infer", device=choice))
        return [case["spec"]["device"] for case in report["cases"]]

    def test_all_and_auto(self):
        self.assertEqual(self.devices_of("all"), ["cpu", "mps"])
        self.assertEqual(self.devices_of("auto"), ["mps"])

    def test_a_gpu_that_gives_no_memory_is_passed_over_aloud(self):
        self.env["MPSBENCH_STANDIN_MEMORY_BYTES"] = "1024"
        for choice in ("auto", "all"):
            said = self.expect(0, "run", "-m", "tiny.json", "-d", choice, "--dry-run")
            self.assertIn("not measured: device 'mps' is not usable: Metal cannot allocate memory on it", said.err)
            self.assertNotIn("/mps/", said.out)

    def test_nothing_is_passed_over_where_each_device_is_named(self):
        self.env["MPSBENCH_STANDIN_MEMORY_BYTES"] = "1024"
        # Not every device has this engine, so the front must ask the worker.
        said = self.expect(3, "run", "-m", "tiny.json", "-d", "cpu", "--engine", "graph", "--dry-run")
        self.assertNotIn("not measured", said.err)

    def test_list(self):
        self.env["MPSBENCH_STANDIN_MEMORY_BYTES"] = str(6 << 30)
        found = {one["device"]: one for one in json.loads(self.expect(0, "list", "devices", "-f", "json").out)}
        self.assertTrue(found["mps"]["usable"])
        self.assertTrue(found["mps"]["built_in"])
        self.assertEqual(found["mps"]["memory_bytes"], 6 << 30)
        self.assertFalse(found["cuda"]["usable"])
        self.assertIn("there is no CUDA on a Mac", found["cuda"]["reason"])

    def test_doctor(self):
        findings = json.loads(self.expect(0, "doctor", "-f", "json").out)
        (mps,) = [one for one in findings if one["subject"] == "device mps"]
        self.assertEqual((mps["level"], mps["message"]), ("ok", "Apple GPU, built in and computes correctly"))


class Operations(StandinTest):
    def test_names(self):
        names = self.expect(0, "ops", "--device", "mps", "--benchmark_list_tests").out.split()
        for name in (
            "matmul/mps/fp16/",
            "attention_backward/mps/bf16/",
            "copy_to_device/mps/pageable/",
            "synchronize/",
        ):
            self.assertTrue(any(one.startswith(name) for one in names), name)
        self.assertFalse(any("/tf32/" in one or "/pinned/" in one for one in names))

    def test_figures(self):
        names = (
            *("launch/mps", "synchronize/mps", "copy_to_device/mps/pageable/1MiB", "copy_to_host/mps/pageable/1MiB"),
            *("matmul/mps/fp32/1024", "matmul_backward/mps/fp32/1024"),
        )
        wanted = f"--benchmark_filter=^({'|'.join(names)})/"
        said = self.expect(0, "ops", "--device", "mps", wanted, "--benchmark_format=json")
        found = {one["name"].removesuffix("/manual_time"): one for one in json.loads(said.out)["benchmarks"]}
        self.assertEqual(set(found), set(names))
        for one in found.values():
            self.assertFalse(one.get("error_occurred"), one)
            self.assertGreater(one["real_time"], 0)
