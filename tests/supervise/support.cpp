#include "supervise/support.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
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

// The format is "PID (NAME) STATE PARENT GROUP ...". NAME may contain any character, so its end is searched backwards.
ProcessState process_state(const std::filesystem::path& folder) {
  // A process may end while its file is read. getline() reports that as an empty line, where an iterator throws.
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

SmallDisk::SmallDisk([[maybe_unused]] const std::string& size) {
#ifdef __linux__
  is_mounted_ = ::mount("tmpfs", path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
#endif
}

SmallDisk::~SmallDisk() {
#ifdef __linux__
  if (is_mounted_) ::umount2(path().c_str(), MNT_DETACH);
#endif
}

std::filesystem::path fake_worker() {
  return MPSBENCH_FAKE_WORKER;
}

void set_script(const std::string& script) {
  ::setenv("MPSBENCH_FAKE_SESSION", script.c_str(), 1);
}

std::string write_pid(const std::filesystem::path& path) {
  return R"({"write_file":{"text":"$pid","path":")" + path.string() + R"("}})";
}

schema::PlannedCase planned_case(const std::string& model, std::int64_t batch_size, std::int64_t repeats) {
  schema::CaseSpec spec = sample_spec(model, schema::Mode::train, batch_size);
  spec.threads = 1;
  schema::PlannedCase planned = sample_run({spec}, repeats).run.planned.front();
  planned.timeout_seconds = 20;
  planned.measure = {};
  return planned;
}

schema::RunRecord run_record(std::vector<schema::PlannedCase> plan) {
  schema::RunRecord record = sample_run({}, 1);
  record.run.status = schema::RunStatus::partial;
  record.run.finished_at.reset();
  record.run.planned = std::move(plan);
  record.host.libtorch.reset();
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

supervise::LaunchOutcome play(const std::string& script, const supervise::WorkerLimits& limits,
                              const supervise::EventSink& on_event, const sensor::Places& sensors) {
  set_script(script);
  supervise::Interrupt interrupt;
  return supervise::run_launch({fake_worker(), limits, interrupt, on_event, {}, sensors},
                               request_for(planned_case("net", 8)));
}

pid_t await_pid(const std::filesystem::path& path) {
  EXPECT_TRUE(await([&path] { return std::filesystem::exists(path); })) << path;
  return static_cast<pid_t>(std::stol(content(path)));
}

bool ends(pid_t pid) {
  return await([pid] { return !process_runs(pid); });
}

bool group_ends(pid_t group) {
  return await([group] { return !group_runs(group); });
}

}  // namespace mpsbench::tests
