#include "cli/doctor_facts.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::cli {
namespace {

using F = DoctorFacts;

TEST(DoctorChecks, FindNothingOnAGoodMachine) {
  const Findings findings = examine(good_facts());
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
    expect_finding(facts, subject, Level::note, "not reported by this system");
  expect_finding(facts, "OpenMP", Level::note, "none");
  expect_finding(facts, "LibTorch", Level::good, "BLAS unknown");
}

TEST(DoctorChecks, OfTheMachine) {
  const Rule rules[] = {
      {"system", Level::good, "Debian GNU/Linux 12, x86_64"},
      {"variables", Level::note, "none"},
      {"variables", Level::note, "PYTORCH_ENABLE_MPS_FALLBACK=1",
       [](F& f) { f.host.environment = {{"PYTORCH_ENABLE_MPS_FALLBACK", "1"}}; }},
      {"ATEN_CPU_CAPABILITY", Level::warning, "ATEN_CPU_CAPABILITY=default: chooses the vector",
       [](F& f) { f.host.environment = {{"ATEN_CPU_CAPABILITY", "default"}}; }},
      {"load", Level::good, "1.00 on 4 cores", [](F& f) { f.host.load_average = 1.0; }},  // a quarter of a core each
      {"load", Level::warning, "busy", [](F& f) { f.host.load_average = 1.01; }},
      {"governor", Level::warning, "'powersave'", [](F& f) { f.host.cpu.governor = "powersave"; }},
      {"governor", Level::warning, "'conservative'", [](F& f) { f.host.cpu.governor = "conservative"; }},
      {"governor", Level::good, "schedutil", [](F& f) { f.host.cpu.governor = "schedutil"; }},
      {"power", Level::warning, "battery", [](F& f) { f.host.power.source = "battery"; }},
      {"power mode", Level::warning, "low-power", [](F& f) { f.host.power.mode = "low-power"; }},
      {"swap", Level::good, "64.0 MiB", [](F& f) { f.host.swap_used_bytes = 64 << 20; }},
      {"swap", Level::warning, "of swap are in use", [](F& f) { f.host.swap_used_bytes = (64 << 20) + 1; }},
      {"disk", Level::good, "1.0 GiB free", [](F& f) { f.host.disk_free_bytes = 1 << 30; }},
      {"disk", Level::good, "1.0 GiB of 8.0 GiB free for reports",
       [](F& f) {
         f.host.disk_free_bytes = 1 << 30;
         f.host.disk_total_bytes = std::int64_t{8} << 30;
       }},
      {"disk", Level::warning, "free for reports", [](F& f) { f.host.disk_free_bytes = (1 << 30) - 1; }},
      {"memory limit", Level::good, "RLIMIT_DATA"},
      {"sensors", Level::good, "cpu_clock, cpu_energy"},
      {"sensors", Level::note, "none", [](F& f) { f.sensors.clear(); }},
      {"sensor cpu_temperature", Level::note, "none is visible"},
      {"sensor cpu_energy", Level::warning, "root only",
       [](F& f) { f.missing_sensors = {{"cpu_energy", "root only", "chmod it"}}; }},
      {"GPU 0", Level::good, "NVIDIA H200: 0 compute processes, 572 MiB in use, 0 % busy"},
      {"GPU 1", Level::good, "2 compute processes",
       [](F& f) { f.gpus.push_back({"NVIDIA H200", 2, std::nullopt, 0.05}); }},
      {"GPU 1", Level::warning, "6 % busy", [](F& f) { f.gpus.push_back({"NVIDIA H200", 2, std::nullopt, 0.06}); }},
      {"GPU 1", Level::note, "unknown",
       [](F& f) { f.gpus.push_back({"NVIDIA H200", std::nullopt, std::nullopt, std::nullopt}); }},
      {"device cpu", Level::good, "computes correctly"},
      {"device mps", Level::note, "not built in"},
      {"device mps", Level::warning, "no memory", [](F& f) {
         f.devices[1].built_in = true;
         f.devices[1].reason = "no memory";
       }}};
  expect_rules(good_facts(), rules);
  DoctorFacts facts = good_facts();
  facts.host.environment = {{"ATEN_CPU_CAPABILITY", "default"}, {"OMP_PLACES", "cores"}};
  expect_finding(facts, "variables", Level::note, "ATEN_CPU_CAPABILITY=default, OMP_PLACES=cores");
  EXPECT_EQ(finding(facts, "ATEN_CPU_CAPABILITY").cure, "unset ATEN_CPU_CAPABILITY");
  facts.missing_sensors = {{"cpu_energy", "root only", "chmod it"}};
  EXPECT_EQ(finding(facts, "sensor cpu_energy").cure, "chmod it");
  facts.devices.clear();
  for (const Finding& one : examine(facts)) EXPECT_FALSE(contains(one.subject, "device")) << one.subject;
}

TEST(DoctorChecks, OfAMac) {
  const Rule rules[] = {
      {"system", Level::good, "macOS 15.1, arm64"},
      {"architecture", Level::warning, "Rosetta",
       [](F& f) {
         f.host.os.arch = "x86_64";
         f.translated = true;
       }},
      {"variables", Level::note,
       "PYTORCH_ENABLE_MPS_FALLBACK=0, PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.5, PYTORCH_MPS_LOW_WATERMARK_RATIO=0.4",
       [](F& f) {
         f.host.environment = {{"PYTORCH_ENABLE_MPS_FALLBACK", "0"},
                               {"PYTORCH_MPS_HIGH_WATERMARK_RATIO", "0.5"},
                               {"PYTORCH_MPS_LOW_WATERMARK_RATIO", "0.4"}};
       }},
      {"variables", Level::warning, "PYTORCH_ENABLE_MPS_FALLBACK=1",
       [](F& f) { f.host.environment = {{"PYTORCH_ENABLE_MPS_FALLBACK", "1"}}; }},
      {"memory limit", Level::warning, "macOS does not limit memory"}};
  DoctorFacts facts = good_mac();
  for (const auto& [subject, level, part, change] : rules) {  // memory is never limited, so several rules fire
    facts = good_mac();
    change(facts);
    EXPECT_EQ(finding(facts, subject).level, level) << subject;
    EXPECT_TRUE(contains(finding(facts, subject).message, part)) << finding(facts, subject).message;
  }
  expect_finding(good_mac(), "memory limit", Level::warning, "macOS does not limit memory");
  facts = good_mac();
  facts.host.os.arch = "x86_64";
  facts.translated = true;
  const std::string cure = finding(facts, "architecture").cure;
  EXPECT_TRUE(contains(cure, "conda config --env --set subdir osx-arm64")) << cure;
  EXPECT_TRUE(contains(cure, "later installs may fall back to x86-64")) << cure;
}

TEST(DoctorChecks, AllThatKeepsAMacFromMps) {
  DoctorFacts facts = good_mac();
  facts.host.os = {"macOS", "11.8", "20.6.0", "x86_64"};
  expect_finding(facts, "system", Level::note, "macOS 11.8, x86_64");
  EXPECT_EQ(finding(facts, "macOS").level, Level::warning);
  EXPECT_TRUE(contains(finding(facts, "macOS").message, "older than 14"));
  EXPECT_EQ(finding(facts, "architecture").level, Level::warning);
  EXPECT_TRUE(contains(finding(facts, "architecture").message, "not arm64 but x86_64"));
}

TEST(DoctorChecks, OfThreads) {
  const Rule rules[] = {{"threads", Level::good, "2 threads for 2 usable cores"},
                        {"threads", Level::warning, "1 thread for 2 usable cores", [](F& f) { f.threads = 1; }},
                        {"threads", Level::warning, "3 threads for 2 usable cores", [](F& f) { f.threads = 3; }},
                        {"threads", Level::good, "1 thread for 2 usable cores",
                         [](F& f) {
                           f.threads = 1;
                           f.local_ranks = 2;
                         }},
                        {"threads", Level::good, "2 threads for 2 usable cores",
                         [](F& f) {
                           f.allowed_cpus = 4;
                           f.working = {2, "0-3"};
                         }},
                        // Nothing says that they are ok.
                        {"threads", Level::warning, "2 threads work on 1 CPU (GOMP_CPU_AFFINITY=0)",
                         [](F& f) {
                           f.allowed_cpus = 4;
                           f.working = {2, "0"};
                           f.host.environment = {{"GOMP_CPU_AFFINITY", "0"}};
                         }},
                        {"CPU quota", Level::good, "a control group allows 2.5 CPUs", [](F& f) { f.cpu_quota = 2.5; }},
                        {"CPU quota", Level::warning, "and paused this program 7 times while it looked around",
                         [](F& f) {
                           f.cpu_quota = 2.5;
                           f.quota_pauses = 7;
                         }},
                        {"CPU quota", Level::warning, "allows 1.5 CPUs and pauses 2 threads that work longer",
                         [](F& f) { f.cpu_quota = 1.5; }}};
  expect_rules(good_facts(), rules);
  DoctorFacts facts = good_facts();
  facts.allowed_cpus = 4;
  facts.working = {2, "0"};
  facts.host.environment = {{"GOMP_CPU_AFFINITY", "0"}};
  EXPECT_EQ(finding(facts, "threads").cure, "unset GOMP_CPU_AFFINITY, or use --threads 1");
  EXPECT_EQ(std::ranges::count(examine(facts), "threads", &Finding::subject), 1);
  facts = good_facts();
  facts.host.environment = {{"OMP_NUM_THREADS", "abc"}};
  const Findings findings = examine(facts);
  const auto ignored = std::ranges::find(findings, Level::warning, &Finding::level);
  ASSERT_NE(ignored, findings.end());
  EXPECT_EQ(ignored->subject, "threads");
  EXPECT_TRUE(contains(ignored->message, "OMP_NUM_THREADS=abc is ignored")) << ignored->message;
  EXPECT_TRUE(contains(ignored->cure, "use --threads")) << ignored->cure;
  facts = good_facts();
  facts.worker_error = "it ended with exit code 1";
  EXPECT_EQ(finding(facts, "threads").level, Level::note) << "without a worker, nobody knows whether they work";
}

TEST(DoctorChecks, OfThePrograms) {
  for (const char* type : {"Debug", "", "MinSizeRel"}) {
    DoctorFacts facts = good_facts();
    facts.tool.build_type = type;
    expect_finding(facts, "build", Level::problem, "'" + std::string(type) + "'");
    facts = good_facts();
    facts.host.libtorch->worker_build_type = type;
    expect_finding(facts, "build", Level::problem, "'" + std::string(type) + "'");
  }
  const Rule rules[] = {
      {"build", Level::good, "", [](F& f) { f.tool.build_type = "RelWithDebInfo"; }},
      {"build", Level::warning, "the worker is of commit b",
       [](F& f) { f.difference = run::BuildDifference{false, "the worker is of commit b", "build both"}; }},
      {"build", Level::problem, "the worker is of commit b",
       [](F& f) { f.difference = run::BuildDifference{true, "the worker is of commit b", "build both"}; }},
      {"LibTorch", Level::good, "2.13.0+cpu, x86_64, BLAS mkl, 1.0 GiB on disk"},
      {"LibTorch", Level::problem, "2.8.0+cpu is older than 2.9", [](F& f) { f.host.libtorch->version = "2.8.0+cpu"; }},
      {"LibTorch", Level::problem, "1.13.0.dev20220522+cu102 is older than 2.9",
       [](F& f) { f.host.libtorch->version = "1.13.0.dev20220522+cu102"; }},
      {"LibTorch", Level::good, "", [](F& f) { f.host.libtorch->version = "2.9.0"; }},
      {"LibTorch", Level::good, "", [](F& f) { f.host.libtorch->version = "2.10.0a0+git1234abc"; }},
      {"LibTorch", Level::good, "", [](F& f) { f.host.libtorch->version = "a build of our own"; }},
      {"packages", Level::good, "--engine compiled can compile networks, with /env/bin/python3"},
      {"packages", Level::note, "unknown, because the worker does not start", [](F& f) { f.compiler.clear(); }},
      {"packages", Level::warning, "--engine compiled cannot run: torch is not there",
       [](F& f) {
         f.compiler.clear();
         f.compiler_error = "torch is not there; install it (pip install torch); then again";
       }},
      {"packages", Level::warning, "--engine compiled cannot run: no C++ compiler",
       [](F& f) {
         f.compiler.clear();
         f.compiler_error = "no C++ compiler";
       }},
      {"OpenMP", Level::good, "libgomp.so.1"},
      {"OpenMP", Level::problem, "libgomp.so.1, libiomp5.so",
       [](F& f) { f.host.libtorch->openmp_runtimes = {"libgomp.so.1", "libiomp5.so"}; }}};
  expect_rules(good_facts(), rules);
  DoctorFacts facts = good_facts();
  facts.compiler.clear();
  facts.compiler_error = "torch is not there; install it (pip install torch); then again";
  EXPECT_EQ(finding(facts, "packages").cure, "install it (pip install torch); then again");
  facts.compiler_error = "no C++ compiler";
  EXPECT_TRUE(contains(finding(facts, "packages").cure, "docs/compiled.md"));
  facts.difference = run::BuildDifference{true, "the worker is of commit b", "build both"};
  facts.tool.build_type = facts.host.libtorch->worker_build_type = "Debug";
  std::vector<std::string> messages;
  for (const Finding& one : examine(facts)) {
    if (one.subject == "build") messages.push_back(one.message);
  }
  EXPECT_EQ(messages,
            (std::vector<std::string>{"the worker is of commit b", "the build type 'Debug' is not optimised"}));
}

TEST(DoctorChecks, OfAWorkerThatDoesNotStart) {
  DoctorFacts facts = good_facts();
  facts.host.libtorch.reset();
  facts.worker_error = "the worker program is missing";
  expect_finding(facts, "LibTorch", Level::problem, "the worker program is missing");
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "scripts/mpsbench"));
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "docs/getting-started.md"));
  facts.worker_error = "it ended with exit code 1 (OMP_STACKSIZE=999G); unset OMP_STACKSIZE";
  expect_finding(facts, "LibTorch", Level::problem, "does not start: it ended with exit code 1 (OMP_STACKSIZE=999G)");
  EXPECT_EQ(finding(facts, "LibTorch").cure, "unset OMP_STACKSIZE");
  expect_finding(facts, "OpenMP", Level::note, "unknown");
}

// A machine on which pip installed mpsbench, in a package for the CPU and CUDA 13.
DoctorFacts package_facts(const std::string& programs, const std::string& torch_build) {
  DoctorFacts facts = good_facts();
  facts.package = {"/env/mpsbench", "2.13", "0.1.0"};
  facts.programs = {"/env/mpsbench/bin/" + programs, "/env/torch", "2.13.0+cu130", torch_build};
  return facts;
}

TEST(DoctorChecks, OfAPackage) {
  expect_finding(package_facts("cuda13", "cuda13"), "package", Level::good,
                 "/env/mpsbench/bin/cuda13, with PyTorch 2.13.0+cu130 of /env");
  expect_finding(package_facts("cpu", "cuda12"), "package", Level::warning,
                 "it has no programs for cuda12, so CUDA has neither graphs nor a memory limit");
  DoctorFacts facts = package_facts("cpu", "cpu");
  facts.programs.reset();
  facts.host.libtorch.reset();
  facts.worker_error = "this mpsbench needs PyTorch 2.13";
  expect_finding(facts, "package", Level::note, "/env/mpsbench, for PyTorch 2.13");
  expect_finding(facts, "LibTorch", Level::problem, "this mpsbench needs PyTorch 2.13");
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "pip install 'torch==2.13.*'"));
  facts.package->version = "0.2.0";
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "pip install mpsbench==0.1.0"));
}

}  // namespace
}  // namespace mpsbench::cli
