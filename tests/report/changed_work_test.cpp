#include "report/compare/changed_work.hpp"

#include "report/compare/comparability.hpp"
#include "report/compare/machines.hpp"
#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {

namespace {

using schema::GpuPath;
using Lines = std::vector<std::string>;

// A report of one case of two processes, on two GPUs or on the CPU.
ComparedReport report_of(const std::string& file, const std::string& device, const std::string& option) {
  ComparedCase result = tests::compared_case("mlp/train/" + device + "/b1/fp32/eager/synthetic" + option, {1, 1});
  result.spec.ranks = option.empty() ? 1 : 2;
  return tests::compared_report(file, {result});
}

ComparedReport on_gpus(const std::string& file, GpuPath path, std::int64_t nvlinks,
                       const std::string& option = "+gpus=2") {
  ComparedReport report = report_of(file, "cuda", option);
  report.host.interconnect = {.numa_nodes = {0, 0}, .pairs = {{0, 1, path, nvlinks, true}}};
  return report;
}

TEST(Connections, OfGpusAreNamedIfTheyDiffer) {
  const ComparedReport linked = on_gpus("a", GpuPath::nvlink, 18);
  const ComparedReport plain = on_gpus("b", GpuPath::node, 0);
  EXPECT_EQ(comparability(linked, linked).caveats, Lines{});
  EXPECT_EQ(comparability(linked, plain).obstacles, Lines{});
  EXPECT_EQ(comparability(linked, plain).caveats,
            Lines{"GPU connection NVLink, 18 links before, PCIe through host bridges of one NUMA node after"});
  EXPECT_EQ(comparability(machine_table({linked, plain})).caveats,
            Lines{"GPU connection NVLink, 18 links in a, PCIe through host bridges of one NUMA node in b"});
  EXPECT_EQ(comparability(linked, report_of("b", "cuda", "+gpus=2")).caveats,
            Lines{"GPU connection NVLink, 18 links before, unknown after"})
      << "an older version wrote the other";
}

TEST(Connections, OfGpusDoNotMatterToOneProcess) {
  EXPECT_EQ(comparability(on_gpus("a", GpuPath::nvlink, 18, ""), on_gpus("b", GpuPath::node, 0, "")).caveats, Lines{});
}

TEST(Connections, OfMachinesAreNamedIfTheyDiffer) {
  ComparedReport fast = report_of("a", "cpu", "+ranks=2");
  ComparedReport slow = report_of("b", "cpu", "+ranks=2");
  fast.host.network = {.interface = "eth0", .bits_per_second = 25e9, .infiniband = {}};
  slow.host.network = {.interface = "eth0", .bits_per_second = 1e9, .infiniband = {}};
  EXPECT_EQ(comparability(fast, slow).caveats, Lines{"network eth0, 25 Gb/s before, eth0, 1 Gb/s after"});
  EXPECT_EQ(comparability(fast, report_of("b", "cpu", "+ranks=2")).caveats,
            Lines{"network eth0, 25 Gb/s before, unknown after"});
}

}  // namespace

}  // namespace mpsbench::report
