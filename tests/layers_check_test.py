"""Makes one violation of each kind, and expects layers_check.py to name it."""

import shutil

import layers_check
from folders import FolderTest


class PlantedViolations(FolderTest):
    def setUp(self):
        super().setUp()
        self.make_layers()

    def make_layers(self):
        self.layer("base")
        self.layer("schema", "base")
        self.layer("model", "schema")
        self.layer("measure", "schema")
        self.layer("device", "schema")
        self.layer("input/pipeline", "base")
        self.layer("suite", "model")

    def layer(self, name, *links):
        linked = " ".join(f"mpsbench::{link}" for link in links)
        call = f"mpsbench_layer(\n  {name.replace('/', '_')}\n  LINKS Boost::headers {linked})\n"
        self.write(f"src/{name}/CMakeLists.txt", f"# mpsbench_layer(comment LINKS mpsbench::worker)\n{call}")
        self.source(name, "")

    def source(self, layer, line):
        self.write(f"src/{layer}/a.cpp", f"// a comment\n#include <vector>\n{line}\n")

    def expect(self, *words):
        problems = layers_check.check(self.folder)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_a_clean_tree_passes(self):
        self.source("suite", '#include "base/error.hpp"  // through model and schema')
        self.source("device", "#include <ATen/Context.h>\n#include <torch/cuda.h>")
        self.assertEqual(layers_check.check(self.folder), [])

    def test_links(self):
        """Upwards, to a sibling, in a circle, from the front to the worker, to nothing, of what is no layer."""
        for (name, *links), *words in (
            (("schema", "base", "model"), "src/schema", "links model", "not below"),
            (("model", "schema", "measure"), "src/model", "links measure"),
            (("base", "schema"), "src/base", "links schema"),
            (("schema", "schema"), "src/schema", "links schema", "not below"),
            (("output", "device"), "src/output", "front and worker"),
            (("suite", "model", "statistics"), "statistics", "not a layer"),
            (("utils",), "src/utils", "not a layer"),
        ):
            with self.subTest(name=name, links=links):
                shutil.rmtree(self.folder / "src")
                self.make_layers()
                self.layer(name, *links)
                self.expect(*words)

    def test_sources_without_a_layer(self):
        self.source("stats", "")
        self.expect("src/stats", "mpsbench_layer(stats")

    def test_include_without_link(self):
        self.source("measure", '#include "model/plan.hpp"')
        self.expect("src/measure/a.cpp", "link to model")

    def test_include_upwards(self):
        self.source("base", '#  include "schema/host.hpp"')
        self.expect("src/base/a.cpp", "link to schema")

    def test_include_without_folder(self):
        self.source("base", '#include "error.hpp"')
        self.expect("layer/file.hpp")

    def test_layers_inside_a_folder(self):
        self.layer("report", "report_compare")
        self.layer("report/compare", "report_metrics")
        self.layer("report/metrics", "model")
        self.source("report", '#include "report/metrics/median.hpp"  // through report/compare')
        self.source("report/compare", '#include "report/metrics/median.hpp"\n#include "report/compare/verdict.hpp"')
        self.layer("output", "report")
        self.source("output", '#include "report/metrics/median.hpp"\n#include "model/plan.hpp"')
        self.assertEqual(layers_check.check(self.folder), [])

    def test_include_without_link_inside_a_folder(self):
        self.layer("report/compare", "schema")
        self.layer("report/metrics", "schema")
        self.source("report/compare", '#include "report/metrics/median.hpp"')
        self.expect("src/report/compare/a.cpp", "link to report_metrics")

    def test_include_without_link_of_the_folder_around(self):
        self.layer("report", "schema")
        self.layer("report/metrics", "schema")
        self.source("report/metrics", '#include "report/report.hpp"')
        self.expect("src/report/metrics/a.cpp", "link to report")

    def test_layer_inside_a_folder_links_upwards(self):
        self.layer("output")
        self.layer("report/metrics", "output")
        self.expect("src/report/metrics", "links output", "not below")

    def test_front_links_a_layer_inside_of_the_workers(self):
        self.layer("device/cuda", "schema")
        self.layer("output", "device_cuda")
        self.expect("src/output", "links device/cuda", "front and worker")

    def test_links_in_a_circle_inside_a_folder(self):
        self.layer("report/compare", "report_metrics")
        self.layer("report/host", "report_compare")
        self.layer("report/metrics", "report_host")
        self.expect("report/compare -> report/metrics -> report/host -> report/compare")

    def test_layer_inside_a_folder_with_another_name(self):
        self.layer("report/metrics", "schema")
        commands = self.folder / "src" / "report" / "metrics" / "CMakeLists.txt"
        commands.write_text(commands.read_text().replace("report_metrics", "metrics"))
        self.expect("src/report/metrics", "mpsbench_layer(metrics", "report_metrics")

    def test_folders_of_one_layer_that_include_each_other(self):
        self.layer("cli", "suite")
        for folder, other in (("cli/commands", "cli/shell"), ("cli/shell", "cli/commands")):
            self.source(folder, f'#include "{other}/a.hpp"')
        self.expect("cli/commands -> cli/shell -> cli/commands")

    def test_torch_header_in_a_folder_inside_a_torch_free_layer(self):
        self.layer("report/metrics", "schema")
        self.source("report/metrics", "#include <ATen/ATen.h>")
        self.expect("src/report/metrics/a.cpp", "must not use LibTorch")

    def test_torch_header_in_a_torch_free_layer(self):
        for header in ("torch/nn.h", "ATen/ATen.h", "c10/core/Device.h"):
            self.source("measure", f"#include <{header}>")
            self.expect(header, "must not use LibTorch")

    def test_torch_header_in_the_torch_free_layer_of_the_worker(self):
        self.source("input/pipeline", "#include <ATen/ATen.h>")
        self.expect("ATen/ATen.h", "must not use LibTorch")

    def test_device_header_in_a_program(self):
        self.write("apps/program/main.cpp", "#include <ATen/cuda/CUDAGraph.h>\n")
        self.expect("apps/program/main.cpp", "CUDAGraph.h", "belong to src/device and src/step")

    def test_device_header_outside_device_and_step(self):
        self.layer("nn", "schema")
        cuda, mps = ("torch/cuda.h", "ATen/cuda/CUDAContext.h"), ("torch/mps.h", "ATen/mps/MPSStream.h")
        for header in (*cuda, *mps, "Metal/Metal.h"):
            self.source("nn", f"#include <{header}>")
            self.expect(header, "src/device and src/step")
