// Makes packages: Python, with the PyTorch that the worker links, compiles a network in a process of its own.
// What a package depends on is its key.
#pragma once

#include "base/error.hpp"
#include "schema/host.hpp"
#include "schema/network_plan.hpp"
#include "schema/report.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/launch_runner.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace mpsbench::run {

struct Compiler {
  std::filesystem::path python;
  std::filesystem::path script;
  std::filesystem::path packages;  // the folder that has PyTorch; empty: Python finds it
  std::string libtorch;            // the version that it must be: "2.13.0"
  std::string build{};             // the worker's: "2.13.0+cpu"
};

// Finds the compiler of packages for a worker that answered ANSWER. Throws Error(no_device) with what to do
// if there is none.
[[nodiscard]] Compiler find_compiler(const supervise::ProbeOutcome& answer);

// Throws Error(no_device) with what to do if COMPILER cannot compile. Takes seconds.
void check_compiler(const Compiler& compiler, supervise::Interrupt& interrupt);

[[nodiscard]] std::filesystem::path compiler_folder();

class CompileError final : public base::Error {
 public:
  CompileError(const std::string& message, std::string output, bool was_too_slow)
      : Error(base::ErrorKind::incomplete, message), detail(std::move(output)), is_timeout(was_too_slow) {}

  std::string detail;  // the end of what the compiler wrote
  bool is_timeout;
};

// Compiles REQUEST to the file PACKAGE. SCRATCH is a folder for other files, from which a later compilation
// takes what is the same. Calls ON_STAGE with what the compiler does now, also again about once a second.
// Returns the seconds that it took. Throws CompileError and Error(interrupted).
double compile_package(const Compiler& compiler, nlohmann::ordered_json request, const std::filesystem::path& package,
                       const std::filesystem::path& scratch, double timeout_seconds, supervise::Interrupt& interrupt,
                       const std::function<void(const std::string& stage)>& on_stage);

// Whether a training step of PLAN draws random numbers.
[[nodiscard]] bool drops_out(const schema::NetworkPlan& plan);

// The request with which the compiler makes the package for SPEC: everything that decides what it contains,
// except the machine and the compiler.
[[nodiscard]] nlohmann::ordered_json compile_request(const schema::CaseSpec& spec, const schema::NetworkPlan& plan,
                                                     bool with_dropout);

// Returns what a package for DEVICE is made for: HOST's processor and, on a GPU, the GPU.
[[nodiscard]] nlohmann::json processors(const schema::HostInfo& host, const schema::DeviceId& device);

// Returns the name of the package that REQUEST makes for DEVICE: the SHA-256 of the request, the processor or
// GPU that runs it, the version of LibTorch, COMPILER's Python, the environment variables that set Inductor,
// and our Python files.
[[nodiscard]] std::string package_key(const nlohmann::ordered_json& request, const schema::DeviceId& device,
                                      const schema::HostInfo& host, const Compiler& compiler);

}  // namespace mpsbench::run
