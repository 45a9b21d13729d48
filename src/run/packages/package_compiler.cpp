#include "run/packages/package_compiler.hpp"

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/mapped_file.hpp"
#include "base/resources.hpp"
#include "base/units.hpp"
#include "report/host/machine_cache.hpp"
#include "supervise/program_end.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "MPSBENCH_PYTHON";
constexpr double kCheckSeconds = 120;

bool is_program(const fs::path& file) {
  std::error_code failure;
  return fs::is_regular_file(file, failure) && ::access(file.c_str(), X_OK) == 0;
}

std::optional<fs::path> on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "";
  while (!folders.empty()) {
    const std::size_t end = folders.find(':');
    fs::path found = fs::path(folders.substr(0, end)) / program;
    if (found.is_absolute() && is_program(found)) return found;
    folders = end == std::string::npos ? "" : folders.substr(end + 1);
  }
  return std::nullopt;
}

// Returns the Python of the environment that has PACKAGES, such as ENVIRONMENT/lib/python3.12/site-packages,
// or else one of the same version.
std::optional<fs::path> python_of(const fs::path& packages) {
  const std::string version = packages.parent_path().filename().string();  // "python3.12"
  const fs::path bin = packages.parent_path().parent_path().parent_path() / "bin";
  for (const std::string& name : {version, std::string("python3")}) {
    if (fs::path python = bin / name; is_program(python)) return python;
  }
  return on_path(version.starts_with("python3") ? version : "python3");
}

// Returns the user's choice of a Python that has torch VERSION.
std::optional<fs::path> chosen_python(const std::string& version) {
  const char* chosen = std::getenv(kVariable);
  if (chosen == nullptr || *chosen == '\0') return std::nullopt;
  const bool is_name = fs::path(chosen) == fs::path(chosen).filename();
  std::optional<fs::path> python = is_name ? on_path(chosen) : fs::path(chosen);
  if (!python || !is_program(*python))
    throw base::Error(base::ErrorKind::no_device,
                      std::string(kVariable) + ": " + chosen +
                          " is not a program; set it to the path, or the name on PATH, of a Python that has torch " +
                          version + ", or unset it");
  return python;
}

// Receives the stages that the compiler writes, one a line.
class StageSink final : public supervise::LineSink {
 public:
  explicit StageSink(std::function<void(const std::string&)> on_stage) : on_stage_(std::move(on_stage)) {}

  bool on_line(const std::string& line) override {
    stage_ = line;
    on_stage_(stage_);
    return true;
  }
  void on_line_too_long() override {}
  void on_tick() override { on_stage_(stage_); }

  [[nodiscard]] const std::string& stage() const { return stage_; }
  // Whether the program has told nothing.
  [[nodiscard]] bool is_silent() const { return stage_ == kFirstStage; }

 private:
  static constexpr const char* kFirstStage = "starting Python";
  std::function<void(const std::string&)> on_stage_;
  std::string stage_ = kFirstStage;
};

std::string variable(const char* name, const fs::path& value) {
  return std::string(name) + "=" + value.string();
}

// Says why a Python has failed that ended with PROBLEM before our code told anything.
std::string early_failure_text(const Compiler& compiler, const std::string& problem) {
  if (problem.find(kVariable) != std::string::npos) return problem;
  return (problem.empty() ? "" : problem + "; ") + compiler.python.string() + " does not run Python code; set " +
         kVariable + " to the path of a Python that has torch " + compiler.libtorch;
}

// The stages of compile_package.py tell whether Inductor's native code has run yet, which CXX has made.
std::string cure_of_crash(const Compiler& compiler, const std::string& stage) {
  if (stage == "importing torch")
    return "; set " + std::string(kVariable) + " to another Python that has torch " + compiler.libtorch;
  if (!stage.starts_with("compiling") && !stage.starts_with("running")) return "";
  const char* chosen = std::getenv("CXX");
  const std::string cure = "; its C++ compiler may be the cause: set CXX to another one";
  return chosen != nullptr && *chosen != '\0' ? cure + ", or unset it" : cure;
}

// Says what has gone wrong, or nothing.
std::string failure_text(const Compiler& compiler, const supervise::ProgramEnd& end, const StageSink& sink) {
  if (sink.is_silent()) return early_failure_text(compiler, end.problem);
  if (end.crash.empty()) return end.problem;
  return end.crash + " while " + sink.stage() + cure_of_crash(compiler, sink.stage());
}

// Inductor divides commands that contain this path at its spaces and quotes.
void require_plain_path(const fs::path& folder) {
  if (folder.string().find_first_of(" \t\n\"'\\") == std::string::npos) return;
  throw base::Error(base::ErrorKind::no_device,
                    folder.string() +
                        ": PyTorch cannot compile in a folder whose path has a space or a quote; set "
                        "XDG_CACHE_HOME to another folder");
}

supervise::WorkerCommand command(const Compiler& compiler, std::vector<std::string> arguments) {
  // -I: neither the user's variables nor the working directory decide which modules are loaded.
  // -B: it writes nothing beside the script.
  arguments.insert(arguments.begin(), {"-I", "-B", compiler.script.string()});
  return {.program = compiler.python, .request_line = "", .arguments = std::move(arguments)};
}

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

Compiler find_compiler(const supervise::ProbeOutcome& answer) {
  require_plain_path(report::cache_folder());
  const fs::path torch = fs::path(answer.libtorch_folder).parent_path();  // of ".../torch/lib"
  const std::string& build = answer.libtorch.version;                     // "2.13.0+cpu"
  const std::string version = build.substr(0, build.find('+'));
  Compiler compiler{.python = {},
                    .script = compiler_folder() / "compile_package.py",
                    .packages = {},
                    .libtorch = version,
                    .build = build};
  std::error_code failure;
  if (torch.is_absolute() && fs::exists(torch / "__init__.py", failure)) compiler.packages = torch.parent_path();
  std::optional<fs::path> python = chosen_python(version);
  if (!python && !compiler.packages.empty()) python = python_of(compiler.packages);
  if (!python)
    throw base::Error(base::ErrorKind::no_device,
                      "packages are compiled by Python's PyTorch " + version +
                          ", which is not beside the worker's LibTorch; install it (pip install torch==" + version +
                          ") and set " + kVariable + " to the path of that Python");
  compiler.python = *python;
  return compiler;
}

void check_compiler(const Compiler& compiler, supervise::Interrupt& interrupt) {
  supervise::WorkerCommand check = command(compiler, {"--check", compiler.libtorch, compiler.packages.string()});
  StageSink sink([](const std::string&) {});
  const supervise::ProgramEnd end =
      supervise::run_program(std::move(check), {.timeout_seconds = kCheckSeconds}, interrupt, sink);
  const std::string why = failure_text(compiler, end, sink);
  if (!why.empty()) throw base::Error(base::ErrorKind::no_device, why);
}

fs::path compiler_folder() {
  return base::share_folder() / "compiler";
}

double compile_package(const Compiler& compiler, nlohmann::ordered_json request, const fs::path& package,
                       const fs::path& scratch, double timeout_seconds, supervise::Interrupt& interrupt,
                       const std::function<void(const std::string& stage)>& on_stage) {
  request["package"] = package.string();
  request["torch_folder"] = compiler.packages.string();
  request["libtorch"] = compiler.libtorch;
  request["front"] = ::getpid();
  supervise::WorkerCommand compile = command(compiler, {});
  compile.request_line = base::to_text(request);
  compile.environment = {variable("TMPDIR", scratch), variable("TORCHINDUCTOR_CACHE_DIR", scratch / "inductor"),
                         variable("TRITON_CACHE_DIR", scratch / "triton")};
  StageSink sink(on_stage);
  const double start = base::steady_seconds();
  const supervise::ProgramEnd end =
      supervise::run_program(std::move(compile), {.timeout_seconds = timeout_seconds}, interrupt, sink);
  std::error_code failure;
  if (end.problem.empty() && fs::exists(package, failure)) return base::steady_seconds() - start;
  if (end.is_timeout)
    throw CompileError(
        "compiling did not finish within " + base::format_duration(timeout_seconds) + "; raise --timeout",
        end.stderr_tail, true);
  const std::string why = failure_text(compiler, end, sink);
  throw CompileError("compiling failed: " + (why.empty() ? "there is no package" : why), end.stderr_tail, false);
}

bool drops_out(const schema::NetworkPlan& plan) {
  return std::ranges::any_of(plan.nodes, [](const schema::NetworkNode& node) {
    const bool drops = node.type == "dropout" || node.type == "stochastic_depth";
    return (drops && node.options.value("p", 0.0) > 0) || node.options.value("dropout_p", 0.0) > 0;
  });
}

nlohmann::ordered_json compile_request(const schema::CaseSpec& spec, const schema::NetworkPlan& plan,
                                       bool with_dropout) {
  nlohmann::json network = schema::to_json(plan);
  // The same network under another name, or with another forecast, needs no other package.
  for (const char* key : {"model", "peak_activation_bytes"}) network.erase(key);
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
                        const schema::HostInfo& host, const Compiler& compiler) {
  const nlohmann::json all = {{"request", request},
                              {"processors", processors(host, device)},
                              {"libtorch", compiler.build},
                              {"python", compiler.python.string()},
                              {"variables", inductor_variables()},
                              {"compiler", hashes_of(compiler.script.parent_path())}};
  return base::sha256_hex(base::to_text(all));
}

}  // namespace mpsbench::run
