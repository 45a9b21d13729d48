#include "cli/doctor_facts.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::cli {
namespace {

TEST(DoctorChecks, FindNothingOnAGoodMachine) {
  const std::vector<Finding> findings = examine(good_facts());
  EXPECT_FALSE(findings.empty());
  for (const Finding& one : findings) {
    EXPECT_TRUE(is_quiet(one)) << one.subject << ": " << one.message;
    EXPECT_EQ(one.cure, "") << one.subject;
    EXPECT_FALSE(one.message.empty()) << one.subject;
  }
}

TEST(DoctorChecks, SayNothingWrongOfWhatAMachineDoesNotTell) {
  DoctorFacts facts = good_facts();
  facts.host.load_average.reset();
  facts.host.cpu.governor.reset();
  facts.host.power.source.reset();
  facts.host.power.mode.reset();
  facts.host.swap_used_bytes.reset();
  facts.host.disk_free_bytes.reset();
  facts.host.libtorch->blas.reset();
  facts.host.libtorch->size_bytes.reset();
  facts.host.libtorch->openmp_runtimes.clear();
  for (const Finding& one : examine(facts)) EXPECT_TRUE(is_quiet(one)) << one.subject;
  for (const char* subject : {"load", "governor", "power", "power mode", "swap", "disk"})
    expect_note(facts, subject, "not reported by this system");
  expect_note(facts, "OpenMP", "none");
  expect_quiet(facts, "LibTorch", "BLAS unknown");
}

TEST(DoctorChecks, System) {
  expect_quiet(good_facts(), "system", "Debian GNU/Linux 12, x86_64");
  expect_quiet(good_mac(), "system", "macOS 15.1, arm64");
}

TEST(DoctorChecks, AllThatKeepsAMacFromMps) {
  DoctorFacts facts = good_mac();
  facts.host.os = {"macOS", "11.8", "20.6.0", "x86_64"};
  expect_note(facts, "system", "macOS 11.8, x86_64");
  EXPECT_EQ(finding(facts, "macOS").level, Level::warning);
  EXPECT_TRUE(contains(finding(facts, "macOS").message, "older than 14"));
  EXPECT_EQ(finding(facts, "architecture").level, Level::warning);
  EXPECT_TRUE(contains(finding(facts, "architecture").message, "not arm64 but x86_64"));
}

TEST(DoctorChecks, Rosetta) {
  DoctorFacts facts = good_mac();
  facts.host.os.arch = "x86_64";
  facts.translated = true;
  const Finding found = finding(facts, "architecture");
  EXPECT_TRUE(contains(found.message, "Rosetta"));
  EXPECT_TRUE(contains(found.cure, "conda config --env --set subdir osx-arm64")) << found.cure;
  EXPECT_TRUE(contains(found.cure, "later installs may fall back to x86-64")) << found.cure;
}

TEST(DoctorChecks, Variables) {
  expect_note(good_facts(), "variables", "none");
  for (DoctorFacts facts : {good_facts(), good_mac()}) {
    facts.host.environment = {{"PYTORCH_ENABLE_MPS_FALLBACK", "0"},
                              {"PYTORCH_MPS_HIGH_WATERMARK_RATIO", "0.5"},
                              {"PYTORCH_MPS_LOW_WATERMARK_RATIO", "0.4"}};
    expect_note(facts, "variables",
                "PYTORCH_ENABLE_MPS_FALLBACK=0, PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.5, "
                "PYTORCH_MPS_LOW_WATERMARK_RATIO=0.4");
  }
  DoctorFacts facts = good_facts();
  facts.host.environment = {{"PYTORCH_ENABLE_MPS_FALLBACK", "1"}};
  expect_note(facts, "variables", "PYTORCH_ENABLE_MPS_FALLBACK=1");
  facts = good_mac();
  facts.host.environment = {{"PYTORCH_ENABLE_MPS_FALLBACK", "1"}};
  EXPECT_EQ(finding(facts, "variables").level, Level::warning);
}

TEST(DoctorChecks, SlowVariables) {
  DoctorFacts facts = good_facts();
  facts.host.environment = {{"ATEN_CPU_CAPABILITY", "default"}, {"OMP_PLACES", "cores"}};
  expect_fires(facts, "ATEN_CPU_CAPABILITY", Level::warning, "ATEN_CPU_CAPABILITY=default: chooses the vector");
  EXPECT_EQ(finding(facts, "ATEN_CPU_CAPABILITY").cure, "unset ATEN_CPU_CAPABILITY");
  expect_note(facts, "variables", "ATEN_CPU_CAPABILITY=default, OMP_PLACES=cores");
}

TEST(DoctorChecks, Load) {
  DoctorFacts facts = good_facts();
  facts.host.load_average = 1.0;  // a quarter of a core each
  expect_quiet(facts, "load", "1.00 on 4 cores");
  facts.host.load_average = 1.01;
  expect_fires(facts, "load", Level::warning, "busy");
}

TEST(DoctorChecks, Governor) {
  for (const char* governor : {"powersave", "conservative"}) {
    DoctorFacts facts = good_facts();
    facts.host.cpu.governor = governor;
    expect_fires(facts, "governor", Level::warning, governor);
  }
  DoctorFacts facts = good_facts();
  facts.host.cpu.governor = "schedutil";
  expect_quiet(facts, "governor", "schedutil");
}

TEST(DoctorChecks, Power) {
  DoctorFacts facts = good_facts();
  facts.host.power.source = "battery";
  expect_fires(facts, "power", Level::warning, "battery");
  facts = good_facts();
  facts.host.power.mode = "low-power";
  expect_fires(facts, "power mode", Level::warning, "low-power");
}

TEST(DoctorChecks, Threads) {
  for (const std::int64_t threads : {1, 3}) {
    DoctorFacts facts = good_facts();
    facts.threads = threads;
    expect_fires(facts, "threads", Level::warning,
                 threads == 1 ? "1 thread for 2 usable cores" : "3 threads for 2 usable cores");
  }
  expect_quiet(good_facts(), "threads", "2 threads for 2 usable cores");
  DoctorFacts shared = good_facts();
  shared.threads = 1;
  shared.local_ranks = 2;
  expect_quiet(shared, "threads", "1 thread for 2 usable cores");
}

TEST(DoctorChecks, ThreadsThatDoNotWork) {
  DoctorFacts facts = good_facts();
  facts.allowed_cpus = 4;
  facts.working = {2, "0-3"};
  expect_quiet(facts, "threads", "2 threads for 2 usable cores");
  facts.host.environment = {{"GOMP_CPU_AFFINITY", "0"}};
  facts.working = {2, "0"};
  const std::vector<Finding> findings = examine(facts);
  const auto found = std::ranges::find(findings, Level::warning, &Finding::level);
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->message, "2 threads work on 1 CPU (GOMP_CPU_AFFINITY=0)");
  EXPECT_EQ(std::ranges::count(findings, "threads", &Finding::subject), 1) << "nothing says that they are ok";
  EXPECT_EQ(found->cure, "unset GOMP_CPU_AFFINITY, or use --threads 1");
}

TEST(DoctorChecks, ThreadsAreNotKnownToWorkWithoutAWorker) {
  DoctorFacts facts = good_facts();
  facts.worker_error = "it ended with exit code 1";
  const std::vector<Finding> findings = examine(facts);
  EXPECT_EQ(std::ranges::find(findings, "threads", &Finding::subject)->level, Level::note);
}

TEST(DoctorChecks, ThreadVariablesThatAreIgnored) {
  DoctorFacts facts = good_facts();
  facts.host.environment = {{"OMP_NUM_THREADS", "abc"}};
  const std::vector<Finding> findings = examine(facts);
  const auto found = std::ranges::find(findings, Level::warning, &Finding::level);
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->subject, "threads");
  EXPECT_TRUE(contains(found->message, "OMP_NUM_THREADS=abc is ignored")) << found->message;
  EXPECT_TRUE(contains(found->cure, "use --threads")) << found->cure;
}

TEST(DoctorChecks, CpuQuota) {
  DoctorFacts facts = good_facts();
  facts.cpu_quota = 2.5;
  expect_quiet(facts, "CPU quota", "a control group allows 2.5 CPUs");
  facts.quota_pauses = 7;
  expect_fires(facts, "CPU quota", Level::warning, "and paused this program 7 times while it looked around");
  facts.quota_pauses = 0;
  facts.cpu_quota = 1.5;
  expect_fires(facts, "CPU quota", Level::warning, "allows 1.5 CPUs and pauses 2 threads that work longer");
}

TEST(DoctorChecks, Swap) {
  DoctorFacts facts = good_facts();
  facts.host.swap_used_bytes = std::int64_t{64} << 20;
  expect_quiet(facts, "swap", "64.0 MiB");
  facts.host.swap_used_bytes = *facts.host.swap_used_bytes + 1;
  expect_fires(facts, "swap", Level::warning, "of swap are in use");
}

TEST(DoctorChecks, Disk) {
  DoctorFacts facts = good_facts();
  facts.host.disk_free_bytes = std::int64_t{1} << 30;
  expect_quiet(facts, "disk", "1.0 GiB free");
  facts.host.disk_total_bytes = std::int64_t{8} << 30;
  expect_quiet(facts, "disk", "1.0 GiB of 8.0 GiB free for reports");
  facts.host.disk_free_bytes = *facts.host.disk_free_bytes - 1;
  expect_fires(facts, "disk", Level::warning, "free for reports");
}

TEST(DoctorChecks, MemoryLimit) {
  expect_fires(good_mac(), "memory limit", Level::warning, "macOS does not limit memory");
  expect_quiet(good_facts(), "memory limit", "RLIMIT_DATA");
}

TEST(DoctorChecks, Devices) {
  expect_quiet(good_facts(), "device cpu", "computes correctly");
  expect_note(good_facts(), "device mps", "not built in");
  DoctorFacts facts = good_facts();
  facts.devices[1].built_in = true;
  facts.devices[1].reason = "no memory";
  expect_fires(facts, "device mps", Level::warning, "no memory");
  facts.devices.clear();
  for (const Finding& one : examine(facts)) EXPECT_FALSE(contains(one.subject, "device")) << one.subject;
}

TEST(DoctorChecks, Sensors) {
  expect_quiet(good_facts(), "sensors", "cpu_clock, cpu_energy");
  expect_note(good_facts(), "sensor cpu_temperature", "none is visible");
  DoctorFacts facts = good_facts();
  facts.sensors.clear();
  expect_note(facts, "sensors", "none");
  facts.missing_sensors = {{"cpu_energy", "root only", "chmod it"}};
  expect_fires(facts, "sensor cpu_energy", Level::warning, "root only");
  EXPECT_EQ(finding(facts, "sensor cpu_energy").cure, "chmod it");
}

TEST(DoctorChecks, Gpus) {
  expect_quiet(good_facts(), "GPU 0", "NVIDIA H200: 0 compute processes, 572 MiB in use, 0 % busy");
  DoctorFacts facts = good_facts();
  facts.gpus.push_back({"NVIDIA H200", 2, std::nullopt, 0.05});
  expect_quiet(facts, "GPU 1", "2 compute processes");
  facts.gpus[1].utilization = 0.06;
  expect_fires(facts, "GPU 1", Level::warning, "6 % busy");
  facts.gpus[1] = {"NVIDIA H200", std::nullopt, std::nullopt, std::nullopt};
  expect_note(facts, "GPU 1", "unknown");
}

}  // namespace
}  // namespace mpsbench::cli
