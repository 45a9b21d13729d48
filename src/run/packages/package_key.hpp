// What a package depends on.
#pragma once

#include "run/packages/package_compiler.hpp"
#include "schema/host.hpp"
#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace mpsbench::run {

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
// and the files of FOLDER, our Python files.
[[nodiscard]] std::string package_key(const nlohmann::ordered_json& request, const schema::DeviceId& device,
                                      const schema::HostInfo& host, const Compiler& compiler,
                                      const std::filesystem::path& folder);

}  // namespace mpsbench::run
