// What doctor says about the programs and their LibTorch.
#include "cli/doctor_facts.hpp"

namespace mpsbench::cli {
namespace {

TEST(DoctorChecks, Build) {
  for (const char* type : {"Debug", "", "MinSizeRel"}) {
    DoctorFacts facts = good_facts();
    facts.tool.build_type = type;
    expect_fires(facts, "build", Level::problem, "'" + std::string(type) + "'");
    facts = good_facts();
    facts.host.libtorch->worker_build_type = type;
    expect_fires(facts, "build", Level::problem, "'" + std::string(type) + "'");
  }
  DoctorFacts facts = good_facts();
  facts.tool.build_type = "RelWithDebInfo";
  expect_quiet(facts, "build");
}

TEST(DoctorChecks, Libtorch) {
  expect_quiet(good_facts(), "LibTorch", "2.13.0+cpu, x86_64, BLAS mkl, 1.0 GiB on disk");
  DoctorFacts facts = good_facts();
  facts.host.libtorch.reset();
  facts.worker_error = "the worker program is missing";
  expect_fires(facts, "LibTorch", Level::problem, "the worker program is missing");
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "scripts/mpsbench"));
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "docs/getting-started.md"));
  facts.worker_error = "it ended with exit code 1 (OMP_STACKSIZE=999G); unset OMP_STACKSIZE";
  expect_fires(facts, "LibTorch", Level::problem, "does not start: it ended with exit code 1 (OMP_STACKSIZE=999G)");
  EXPECT_EQ(finding(facts, "LibTorch").cure, "unset OMP_STACKSIZE");
  expect_note(facts, "OpenMP", "unknown");
}

TEST(DoctorChecks, Compiler) {
  expect_quiet(good_facts(), "packages", "--engine compiled can compile networks, with /env/bin/python3");
  DoctorFacts facts = good_facts();
  facts.compiler.clear();
  expect_note(facts, "packages", "unknown, because the worker does not start");
  facts.compiler_error = "torch is not there; install it (pip install torch); then again";
  expect_fires(facts, "packages", Level::warning, "--engine compiled cannot run: torch is not there");
  EXPECT_EQ(finding(facts, "packages").cure, "install it (pip install torch); then again");
  facts.compiler_error = "no C++ compiler";
  expect_fires(facts, "packages", Level::warning, "--engine compiled cannot run: no C++ compiler");
  EXPECT_TRUE(contains(finding(facts, "packages").cure, "docs/compiled.md"));
}

// Returns a machine on which pip installed mpsbench, in a package for the CPU and CUDA 13.
DoctorFacts package_facts(const std::string& programs, const std::string& torch_build) {
  DoctorFacts facts = good_facts();
  facts.package = {"/env/mpsbench", "2.13", "0.1.0"};
  facts.programs = {"/env/mpsbench/bin/" + programs, "/env/torch", "2.13.0+cu130", torch_build};
  return facts;
}

TEST(DoctorChecks, Package) {
  expect_quiet(package_facts("cuda13", "cuda13"), "package",
               "/env/mpsbench/bin/cuda13, with PyTorch 2.13.0+cu130 of /env");
  expect_fires(package_facts("cpu", "cuda12"), "package", Level::warning,
               "it has no programs for cuda12, so CUDA has neither graphs nor a memory limit");
}

TEST(DoctorChecks, PackageWithoutItsPyTorch) {
  DoctorFacts facts = package_facts("cpu", "cpu");
  facts.programs.reset();
  facts.host.libtorch.reset();
  facts.worker_error = "this mpsbench needs PyTorch 2.13";
  expect_note(facts, "package", "/env/mpsbench, for PyTorch 2.13");
  expect_fires(facts, "LibTorch", Level::problem, "this mpsbench needs PyTorch 2.13");
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "pip install 'torch==2.13.*'"));
  facts.package->version = "0.2.0";
  EXPECT_TRUE(contains(finding(facts, "LibTorch").cure, "pip install mpsbench==0.1.0"));
}

TEST(DoctorChecks, WorkerOfAnotherBuild) {
  DoctorFacts facts = good_facts();
  facts.difference = run::BuildDifference{false, "the worker is of commit b", "build both"};
  expect_fires(facts, "build", Level::warning, "the worker is of commit b");
  facts.difference->is_refused = true;
  expect_fires(facts, "build", Level::problem, "the worker is of commit b");
  facts.tool.build_type = "Debug";
  facts.host.libtorch->worker_build_type = "Debug";
  std::vector<std::string> messages;
  for (const Finding& one : examine(facts)) {
    if (one.subject == "build") messages.push_back(one.message);
  }
  EXPECT_EQ(messages,
            (std::vector<std::string>{"the worker is of commit b", "the build type 'Debug' is not optimised"}));
}

TEST(DoctorChecks, LibtorchIsNewEnough) {
  for (const char* old : {"2.8.0+cpu", "1.13.0.dev20220522+cu102"}) {
    DoctorFacts facts = good_facts();
    facts.host.libtorch->version = old;
    expect_fires(facts, "LibTorch", Level::problem, std::string(old) + " is older than 2.9");
  }
  for (const char* good : {"2.9.0", "2.10.0a0+git1234abc", "a build of our own"}) {
    DoctorFacts facts = good_facts();
    facts.host.libtorch->version = good;
    EXPECT_EQ(finding(facts, "LibTorch").level, Level::good) << good;
  }
}

TEST(DoctorChecks, Openmp) {
  expect_quiet(good_facts(), "OpenMP", "libgomp.so.1");
  DoctorFacts facts = good_facts();
  facts.host.libtorch->openmp_runtimes = {"libgomp.so.1", "libiomp5.so"};
  expect_fires(facts, "OpenMP", Level::problem, "libgomp.so.1, libiomp5.so");
}

}  // namespace
}  // namespace mpsbench::cli
