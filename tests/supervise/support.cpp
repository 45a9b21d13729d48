#include "supervise/support.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sys/mount.h>
#endif

namespace mpsbench::tests {
namespace {

bool await(const std::function<bool()>& condition) {
  for (int i = 0; i < 2500; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

#ifdef __linux__
struct ProcessState {
  char letter = 0;
  pid_t group = 0;
};

// The format is "PID (NAME) STATE PARENT GROUP ...". NAME may contain any character, so its end is searched
// backwards.
ProcessState process_state(const std::filesystem::path& folder) {
  // A process may end while its file is read. getline() reports that as an empty line, where an iterator
  // throws.
  std::ifstream file(folder / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(')');
  ProcessState state;
  if (name_end == std::string::npos) return state;
  std::istringstream rest(text.substr(name_end + 1));
  pid_t parent = 0;
  rest >> state.letter >> parent >> state.group;
  return state;
}

bool runs(const ProcessState& state) {
  return state.letter != 0 && state.letter != 'Z' && state.letter != 'X';
}

bool process_runs(pid_t pid) {
  return runs(process_state("/proc/" + std::to_string(pid)));
}

bool group_runs(pid_t group) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    const ProcessState state = process_state(entry.path());
    if (runs(state) && state.group == group) return true;
  }
  return false;
}
#else
bool process_runs(pid_t pid) {
  return ::kill(pid, 0) == 0;
}
bool group_runs(pid_t group) {
  return ::kill(-group, 0) == 0;
}
#endif

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "supervise-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
#ifdef __linux__
  if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
#endif
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

bool TemporaryFolder::mount_small([[maybe_unused]] const std::string& size) {
#ifdef __linux__
  mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
#endif
  return mounted_;
}

std::filesystem::path fake_worker() {
  return MPSBENCH_FAKE_WORKER;
}

void set_script(const std::string& script) {
  ::setenv("MPSBENCH_FAKE_SESSION", script.c_str(), 1);
}

schema::PlannedCase planned_case(const std::string& model, std::int64_t batch_size, std::int64_t repeats) {
  schema::PlannedCase planned;
  planned.spec.model = model;
  planned.spec.device = "cpu";
  planned.spec.batch_size = batch_size;
  planned.spec.precision = schema::Precision::fp32;
  planned.spec.engine = schema::Engine::eager;
  planned.spec.dataset = schema::Dataset::synthetic;
  planned.spec.loss = "cross_entropy";
  planned.spec.optimizer = {"sgd", {{"lr", 0.001}}};
  planned.spec.rows = 1000;
  planned.spec.threads = 1;
  planned.id = model + "/train/cpu/b" + std::to_string(batch_size) + "/fp32/eager/synthetic";
  planned.definition_sha256 = schema::definition_sha256({{"name", "net"}});
  planned.repeats = repeats;
  planned.timeout_seconds = 20;
  return planned;
}

schema::RunRecord run_record(std::vector<schema::PlannedCase> plan) {
  schema::RunRecord record;
  record.tool.version = "0.1.0";
  record.run.id = "0123456789abcdef";
  record.run.started_at = "2026-11-21T10:02:00Z";
  record.run.status = schema::RunStatus::partial;
  record.run.suite = "adhoc";
  record.run.argv = {"mpsbench", "run"};
  record.run.planned = std::move(plan);
  record.run.definitions[schema::definition_sha256({{"name", "net"}})] = {{"name", "net"}};
  record.host.name = "host";
  record.host.cpu.logical_cores = 2;
  record.host.memory_bytes = 1'000'000'000;
  return record;
}

schema::Launch launch_of(schema::Status status, std::int64_t index) {
  schema::Launch launch;
  launch.status = status;
  launch.index = index;
  launch.started_at = "2026-11-21T10:02:03Z";
  launch.samples_seconds = {0.25, 0.5};
  if (status != schema::Status::ok) launch.failure = schema::Failure{"kind", "message", "detail"};
  return launch;
}

schema::LaunchRequest request_for(const schema::PlannedCase& planned) {
  schema::LaunchRequest request;
  request.network_plan.target_dtype = schema::DType::int64;
  request.spec = planned.spec;
  request.network_plan.model = planned.spec.model;
  request.measure = planned.measure;
  return request;
}

supervise::LaunchOutcome play(const std::string& script, supervise::LaunchLimits limits) {
  supervise::LaunchListener nobody;
  supervise::Interrupt interrupt;
  return play(script, limits, nobody, interrupt);
}

supervise::LaunchOutcome play(const std::string& script, supervise::LaunchLimits limits,
                              supervise::LaunchListener& listener, supervise::Interrupt& interrupt,
                              const sensor::Places& sensors) {
  set_script(script);
  return supervise::run_launch(fake_worker(), request_for(planned_case("net", 8)), limits, listener, interrupt, {},
                               sensors);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

pid_t await_pid(const std::filesystem::path& path) {
  EXPECT_TRUE(await([&path] { return std::filesystem::exists(path); })) << path;
  return static_cast<pid_t>(std::stol(read_file(path)));
}

bool ends(pid_t pid) {
  return await([pid] { return !process_runs(pid); });
}

bool group_ends(pid_t group) {
  return await([group] { return !group_runs(group); });
}

}  // namespace mpsbench::tests
