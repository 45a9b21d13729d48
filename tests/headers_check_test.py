"""Makes headers that nothing compiles on their own, and expects headers_check.py to name them."""

import headers_check
from folders import FolderTest


class PlantedHeaders(FolderTest):
    def setUp(self):
        super().setUp()
        self.write("src/stats/CMakeLists.txt", "mpsbench_layer(\n  stats\n  SOURCES mean.cpp)\n")
        self.write("src/stats/mean.hpp", "#pragma once\n")
        self.write("src/stats/mean.cpp", '// Means.\n#include "stats/mean.hpp"\n\n#include <vector>\n')

    def expect(self, count, *problems):
        self.assertEqual(headers_check.check(self.folder), (count, list(problems)))

    def test_a_clean_tree_passes(self):
        self.write("src/stats/alone.hpp", "#pragma once\n")
        self.write("apps/ops/window.hpp", "#pragma once\n")
        self.write("apps/ops/window.cpp", '#include "window.hpp"\n')
        self.expect(3)

    def test_another_include_goes_first(self):
        self.write("src/stats/mean.cpp", '#include <vector>\n\n#include "stats/mean.hpp"\n')
        self.expect(1, "src/stats/mean.hpp: mean.cpp does not include it first")

    def test_the_header_of_that_name_in_another_folder(self):
        self.write("src/stats/mean.cpp", '#include "report/mean.hpp"\n#include "stats/mean.hpp"\n')
        self.expect(1, "src/stats/mean.hpp: mean.cpp does not include it first")

    def test_a_source_that_includes_nothing(self):
        self.write("src/stats/mean.cpp", "int x;\n")
        self.expect(1, "src/stats/mean.hpp: mean.cpp does not include it first")

    def test_a_header_in_a_folder_that_cmake_makes_no_sources_for(self):
        self.write("src/stats/deep/alone.hpp", "#pragma once\n")
        self.expect(
            2,
            "src/stats/deep/alone.hpp: it has no source, and no CMakeLists.txt next to it calls mpsbench_headers",
        )
