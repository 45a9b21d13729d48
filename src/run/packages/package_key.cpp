#include "run/packages/package_key.hpp"

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/mapped_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <vector>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

// Whether the environment variable NAME changes what Inductor makes.
bool sets_inductor(std::string_view name) {
  // Not all that begins with TORCH: torchrun sets TORCHELASTIC_RUN_ID anew for each run.
  constexpr std::array<std::string_view, 9> kPrefixes{"TORCHINDUCTOR_", "TORCHDYNAMO_", "TORCH_DYNAMO_",
                                                      "TORCH_COMPILE",  "TRITON_",      "AOT",
                                                      "INDUCTOR_",      "CUTLASS_",     "PARTITIONER_"};
  constexpr std::array<std::string_view, 13> kNames{"CC",
                                                    "CXX",
                                                    "CPATH",
                                                    "CPLUS_INCLUDE_PATH",
                                                    "CUDA_HOME",
                                                    "CUDA_PATH",
                                                    "CUDACXX",
                                                    "ATEN_CPU_CAPABILITY",
                                                    "CUBLAS_WORKSPACE_CONFIG",
                                                    "TORCH_CUDA_ARCH_LIST",
                                                    "ENABLE_PERSISTENT_TMA_MATMUL",
                                                    "ENABLE_TEMPLATE_TMA_STORE",
                                                    "ENABLE_TMA_LOAD_FOR_TEMPLATE_EPILOGUE"};
  if (name.ends_with("_CACHE_DIR") || name == "TORCHINDUCTOR_COMPILE_THREADS") return false;
  return std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Returns those variables ("NAME=VALUE").
nlohmann::json inductor_variables() {
  std::vector<std::string> found;
  for (char** one = base::environment(); *one != nullptr; ++one) {
    const std::string_view variable(*one);
    if (sets_inductor(variable.substr(0, variable.find('=')))) found.emplace_back(variable);
  }
  std::ranges::sort(found);
  return found;
}

nlohmann::json hashes_of(const fs::path& compiler) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(compiler, failure)) {
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  }
  if (files.empty())
    throw base::Error(base::ErrorKind::no_device,
                      compiler.string() + ": the files of the compiler are missing; install mpsbench again");
  std::ranges::sort(files);
  nlohmann::json hashes = nlohmann::json::array();
  for (const fs::path& file : files) hashes.push_back(base::sha256_hex(base::MappedFile(file).text()));
  return hashes;
}

}  // namespace

bool drops_out(const schema::NetworkPlan& plan) {
  return std::ranges::any_of(plan.nodes, [](const schema::NetworkNode& node) {
    return (node.type == "dropout" && node.options.value("p", 0.0) > 0) || node.options.value("dropout_p", 0.0) > 0;
  });
}

nlohmann::ordered_json compile_request(const schema::CaseSpec& spec, const schema::NetworkPlan& plan,
                                       bool with_dropout) {
  nlohmann::json network = schema::to_json(plan);
  network.erase("model");  // the same network under another name needs no other package
  const bool trains = row_of(spec.mode).trains;
  nlohmann::ordered_json request{{"network_plan", network}, {"drops_out", trains && with_dropout}};
  for (const schema::SpecField& field : schema::kSpecFields) {
    if (field.traits.decides_package) request[field.key] = schema::value_json(field, spec);
  }
  request["device"] = to_string(spec.device.kind);
  request["compile_mode"] = to_string(spec.compile_mode.value_or(schema::CompileMode::usual));
  if (!trains) request["loss"] = "";
  // On the CPU, the code that Inductor makes has the number of threads in it.
  if (!spec.device.row().is_host) request["threads"] = 1;
  return request;
}

// Also on a GPU, a package has code for the processor.
nlohmann::json processors(const schema::HostInfo& host, const schema::DeviceId& device) {
  const auto gpu = std::ranges::find(host.accelerators, device, &schema::Accelerator::device);
  return {{"cpu", host.cpu.model},
          {"features", host.cpu.features},
          {"gpu", gpu != host.accelerators.end() ? gpu->name : to_string(device)}};
}

std::string package_key(const nlohmann::ordered_json& request, const schema::DeviceId& device,
                        const schema::HostInfo& host, const Compiler& compiler, const fs::path& folder) {
  const nlohmann::json all = {{"request", request},
                              {"processors", processors(host, device)},
                              {"libtorch", compiler.build},
                              {"python", compiler.python.string()},
                              {"variables", inductor_variables()},
                              {"compiler", hashes_of(folder)}};
  return base::sha256_hex(base::to_text(all));
}

}  // namespace mpsbench::run
