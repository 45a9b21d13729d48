#include "base/json_file.hpp"
#include "report/compare/machines.hpp"
#include "support/compared.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;
using tests::with;
using Lines = std::vector<std::string>;

// A report of two cases, of batch sizes 1 and 2.
ComparedReport sample(const std::string& file, const schema::DeviceId& device = "cpu") {
  ComparedReport report = compared_report(file, {});
  for (const int batch : {1, 2}) {
    schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, batch);
    spec.device = device;
    report.cases.push_back(
        compared_case("mlp/train/" + to_string(device) + "/b" + std::to_string(batch) + "/fp32", {1, 1}));
    report.cases.back().spec = spec;
    report.cases.back().backend = {{"autocast", "off"}, {"deterministic", "off"}};
  }
  return report;
}

// Returns REPORT after CHANGE of each case.
template <typename Change>
ComparedReport each(ComparedReport report, Change change) {
  for (ComparedCase& one : report.cases) change(one);
  return report;
}

void set_spec(ComparedCase& result, const std::string& key, const nlohmann::json& value) {
  nlohmann::json spec = schema::to_json(result.spec);
  spec[key] = value;
  result.spec = schema::from_json<schema::CaseSpec>(base::Reader(spec, "spec"));
}

ComparedReport with_spec(const std::string& key, const nlohmann::json& value) {
  return each(sample("s"), [&](ComparedCase& one) { set_spec(one, key, value); });
}

ComparedReport with_environment(const std::map<std::string, std::string>& variables) {
  return with(sample("e"), [&](ComparedReport& report) { report.host.environment = variables; });
}

ComparedReport with_power(const char* mode) {
  return with(sample("p"), [&](ComparedReport& report) { report.host.power.mode = mode; });
}

ComparedReport with_clock(double hertz, bool is_set) {
  return each(sample("c", "cuda"), [&](ComparedCase& one) { one.gpu_clock = {hertz, is_set}; });
}

ComparedReport started_at(const char* time) {
  return with(sample("t"), [&](ComparedReport& report) { report.started_at = time; });
}

ComparedReport with_cpu_distances(double first, double second) {
  return with(sample("d"), [&](ComparedReport& report) {
    report.cases[0].launches[0].cpu_distance_seconds = first;
    report.cases[0].launches[1].cpu_distance_seconds = second;
  });
}

ComparedReport with_first(const std::function<void(ComparedCase&)>& change) {
  return with(sample("b"), [&](ComparedReport& report) { change(report.cases[0]); });
}

// A report of one case of two processes, on two GPUs or on the CPU.
ComparedReport of_ranks(const std::string& file, const std::string& device, const std::string& option) {
  ComparedCase result = compared_case("mlp/train/" + device + "/b1/fp32/eager/synthetic" + option, {1, 1});
  result.spec.ranks = option.empty() ? 1 : 2;
  return compared_report(file, {result});
}

ComparedReport on_gpus(const std::string& file, schema::GpuPath path, std::int64_t nvlinks,
                       const std::string& option = "+gpus=2") {
  return with(of_ranks(file, "cuda", option), [&](ComparedReport& report) {
    report.host.interconnect = {.numa_nodes = {0, 0}, .pairs = {{0, 1, path, nvlinks, true}}};
  });
}

ComparedReport on_network(double bits_per_second) {
  return with(of_ranks("n", "cpu", "+ranks=2"), [&](ComparedReport& report) {
    report.host.network = {.interface = "eth0", .bits_per_second = bits_per_second, .infiniband = {}};
  });
}

struct Row {
  const char* what;
  ComparedReport before, after;
  Lines obstacles = {};
  Lines caveats = {};
};

void expect_lines(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Comparability found = comparability(row.before, row.after);
    EXPECT_EQ(found.obstacles, row.obstacles) << row.what;
    EXPECT_EQ(found.caveats, row.caveats) << row.what;
  }
}

TEST(SameMachine, IsByNameCpuAndDevices) {
  const ComparedReport a = sample("a");
  ComparedReport b = sample("b");
  EXPECT_TRUE(same_machine(a, b));
  b.host.name = "other";
  EXPECT_FALSE(same_machine(a, b));
  EXPECT_FALSE(same_machine(a, sample("b", "cuda"))) << "no device in common";
  ComparedReport h100 = sample("a", "cuda");
  ComparedReport h200 = h100;
  h100.host.accelerators = {{"cuda", "H100", std::nullopt}};
  h200.host.accelerators = {{"cuda", "H200", std::nullopt}};
  EXPECT_FALSE(same_machine(h100, h200));
}

TEST(Comparability, RefusesUnlikeWorkPrecisionsAndClocks) {
  const std::string one(64, 'a');
  const std::string other(64, 'b');
  const ComparedReport changed = with(sample("b"), [](ComparedReport& report) {
    report.cases[0].definition_sha256 = "f00";
    set_spec(report.cases[1], "seed", 3);
    for (ComparedCase& result : report.cases) result.backend["autocast"] = "Half";
  });
  const ComparedReport data = with_spec("data_files", {{"vocab.txt", one}, {"x.bin", one}});
  const std::string all = ": mlp/train/cpu/b1/fp32 and 1 more";
  const std::string all_gpu = ": mlp/train/cuda/b1/fp32 and 1 more";
  expect_lines({
      {"equal", sample("a"), sample("b")},
      {"work and precision",
       sample("a"),
       changed,
       {"autocast off before, Half after" + all, "seed 7 before, 3 after: mlp/train/cpu/b2/fp32",
        "the network is different after (definition_sha256): mlp/train/cpu/b1/fp32"}},
      {"the first does not report its power mode", sample("a"), with_power("low-power")},
      {"power modes", with_power("normal"), with_power("low-power"), {"power mode normal before, low-power after"}},
      {"the other does not report its data", data, sample("b")},
      {"other data",
       data,
       with_spec("data_files", {{"vocab.txt", one}, {"x.bin", other}}),
       {"data file x.bin (SHA-256) aaaaaaaaaaaa before, bbbbbbbbbbbb after" + all}},
      {"missing data",
       data,
       with_spec("data_files", {{"vocab.txt", one}}),
       {"data file x.bin (SHA-256) aaaaaaaaaaaa before, absent after" + all}},
      {"an option that only one side tells was at its default", sample("old"), with_spec("max_length", 128)},
      {"the other way round", with_spec("max_length", 128), sample("old")},
      {"both tell it",
       with_spec("max_length", 64),
       with_spec("max_length", 128),
       {"max_length 64 before, 128 after" + all}},
      {"like clocks", with_clock(1.98e9, false), with_clock(1.97e9, false)},
      {"other clocks",
       with_clock(1.98e9, false),
       with_clock(1.2e9, false),
       {},
       {"the GPU's clock differed by more than 3 % after" + all_gpu}},
      {"clocks set on one side",
       with_clock(1.98e9, false),
       with_clock(1.2e9, true),
       {"GPU clocks automatic before, set by hand after" + all_gpu}},
      {"both set, but to different clocks",
       with_clock(1.98e9, true),
       with_clock(1.2e9, true),
       {"the GPU's clock differed by more than 3 % after" + all_gpu}},
  });
  EXPECT_EQ(comparability(machine_table({with_clock(1.98e9, true), with_clock(1.2e9, true)})).obstacles, Lines{})
      << "two machines may have their own clocks";
}

TEST(Comparability, ListsWhatAReaderShouldKnow) {
  using schema::GpuPath;
  const ComparedReport many = with(sample("b"), [](ComparedReport& report) {
    report.cases[0].spec.threads = 9;
    report.cases[0].backend["deterministic"] = "on";
    report.cases[0].flags = {"noisy"};
    report.run_status = schema::RunStatus::interrupted;
    report.host.libtorch = schema::LibtorchInfo{};
    report.host.libtorch->version = "2.13.0";
    report.host.environment["OMP_NUM_THREADS"] = "1";
    report.host.power.source = "battery";
  });
  const ComparedReport two_cpus = with_first([](ComparedCase& one) { one.working_threads = "2 on 2 CPUs"; });
  const ComparedReport linked = on_gpus("a", GpuPath::nvlink, 18);
  const ComparedReport without_times = each(sample("b"), [](ComparedCase& one) { one.launches_without_time = 2; });
  expect_lines({
      {"many",
       sample("a"),
       many,
       {},
       {"deterministic off before, on after: mlp/train/cpu/b1/fp32", "threads 2 before, 9 after: mlp/train/cpu/b1/fp32",
        "LibTorch unknown before, 2.13.0 after", "power source unknown before, battery after",
        "OMP_NUM_THREADS unset before, 1 after", "the run in b is interrupted", "flagged cases in b: noisy (1)"}},
      {"the time limit",
       with_first([](ComparedCase& one) { one.max_launch_seconds = 1; }),
       with_first([](ComparedCase& one) { one.max_launch_seconds = 3; }),
       {},
       {"longest launch 1.00 s before, 3.00 s after: mlp/train/cpu/b1/fp32"}},
      {"swapped files",
       started_at("2026-11-22T10:00:00Z"),
       started_at("2026-11-21T10:00:00Z"),
       {},
       {"the 'before' run started later than the 'after' run: are the files swapped?"}},
      {"in order", started_at("2026-11-21T10:00:00Z"), started_at("2026-11-22T10:00:00Z")},
      {"threads of one side", two_cpus, sample("b")},
      {"threads of both",
       two_cpus,
       with_first([](ComparedCase& one) { one.working_threads = "2 on 1 CPU"; }),
       {},
       {"threads at work 2 on 2 CPUs before, 2 on 1 CPU after: mlp/train/cpu/b1/fp32"}},
      {"variables, of which some values are slow",
       with_environment({{"NCCL_IB_DISABLE", "0"}, {"ATEN_CPU_CAPABILITY", "default"}, {"MKL_CBWR", "AVX2"}}),
       with_environment({{"MKL_CBWR", "AVX2"}, {"LD_PRELOAD", "libjemalloc.so.2"}}),
       {},
       {"ATEN_CPU_CAPABILITY default before, unset after (chooses the vector instructions of LibTorch's own "
        "kernels; default: the weakest)",
        "LD_PRELOAD unset before, libjemalloc.so.2 after",
        "NCCL_IB_DISABLE 0 before, unset after (machines exchange data without InfiniBand)"}},
      {"launches without times",
       sample("a"),
       without_times,
       {},
       {"b: launches whose step time is 0 or missing are left out: mlp/train/cpu/b1/fp32 and 1 more"}},
      {"each case says that it has no samples", sample("a"),
       each(without_times, [](ComparedCase& one) { one.launches.clear(); })},
      {"no distance of CPUs", with_cpu_distances(9e-8, 1.1e-7), sample("b")},
      {"CPUs about as far apart", with_cpu_distances(9e-8, 1.1e-7), with_cpu_distances(1.2e-7, 1.5e-7)},
      {"CPUs farther apart",
       with_cpu_distances(9e-8, 1.1e-7),
       with_cpu_distances(1e-7, 4.3e-7),
       {},
       {"a cache line's way from one CPU to another and back 100 ns before, 265 ns after"}},
      {"equal links", linked, linked},
      {"other links",
       linked,
       on_gpus("b", GpuPath::node, 0),
       {},
       {"GPU connection NVLink, 18 links before, PCIe through host bridges of one NUMA node after"}},
      {"unknown links",
       linked,
       of_ranks("b", "cuda", "+gpus=2"),
       {},
       {"GPU connection NVLink, 18 links before, unknown after"}},
      {"links do not matter to one process", on_gpus("a", GpuPath::nvlink, 18, ""), on_gpus("b", GpuPath::node, 0, "")},
      {"other networks", on_network(25e9), on_network(1e9), {}, {"network eth0, 25 Gb/s before, eth0, 1 Gb/s after"}},
      {"an unknown network",
       on_network(25e9),
       of_ranks("b", "cpu", "+ranks=2"),
       {},
       {"network eth0, 25 Gb/s before, unknown after"}},
  });
}

void expect_lines_of_machines(const char* what, const std::vector<ComparedReport>& reports, const Lines& obstacles,
                              const Lines& caveats) {
  const Comparability found = comparability(machine_table(reports));
  EXPECT_EQ(found.obstacles, obstacles) << what;
  EXPECT_EQ(found.caveats, caveats) << what;
}

TEST(Comparability, OfMachinesAllowsOtherDevicesThreadsAndClocks) {
  ComparedReport m1 = each(sample("b.json", "mps"), [](ComparedCase& one) { set_spec(one, "threads", 8); });
  m1.host.name = "m1";
  expect_lines_of_machines("threads", {sample("a.json"), m1}, {}, {});
  set_spec(m1.cases[0], "rows", 5);
  expect_lines_of_machines("work", {sample("a.json"), m1}, {"rows 50000 in a.json, 5 in b.json: mlp/train/cpu/b1/fp32"},
                           {});
  expect_lines_of_machines(
      "left out", {sample("a"), each(sample("b"), [](ComparedCase& one) { one.launches_without_time = 2; })}, {},
      {"b: launches whose step time is 0 or missing are left out: mlp/train/cpu/b1/fp32 and 1 more"});
  expect_lines_of_machines("links", {on_gpus("a", schema::GpuPath::nvlink, 18), on_gpus("b", schema::GpuPath::node, 0)},
                           {},
                           {"GPU connection NVLink, 18 links in a, PCIe through host bridges of one NUMA node in b"});
}

TEST(Comparability, OfPublishedFiguresIsByTheirIdsAndSaysSo) {
  ComparedReport theirs = each(sample("theirs", "mps"), [](ComparedCase& one) {
    one.definition_sha256 = "f00";
    set_spec(one, "seed", 3);
    one.published = schema::Published{"a file", {}, {"read-off-chart"}, "", {}, {}};
  });
  theirs.tool.version = "1";
  theirs.cases[0].published.value().remark = "Odd";
  expect_lines_of_machines(
      "published", {sample("mine"), theirs}, {},
      {"read-off-chart (The figure was read off a chart by eye.): mlp/train/mps/b1/fp32 in theirs and 1 more",
       "remark (Odd): mlp/train/mps/b1/fp32 in theirs",
       "published figures come from their authors' programs; only their description says that the work is the same: "
       "mlp/train/cpu/b1/fp32 and 1 more"});
  ComparedReport other = sample("other");
  other.cases[0].definition_sha256 = "f00";
  EXPECT_EQ(comparability(machine_table({theirs, sample("mine"), other})).obstacles.size(), 1U)
      << "measured reports are still compared with each other";
}

}  // namespace
}  // namespace mpsbench::report
