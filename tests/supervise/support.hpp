// Shared by the tests of supervise/: cases, and the fake worker with a script.
#pragma once

#include "schema/report.hpp"
#include "supervise/launch_runner.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::tests {

// A folder with a small file system of its own, if that is allowed here.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size);  // "64k"
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool is_mounted() const { return is_mounted_; }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.root(); }

 private:
  Scratch folder_;
  bool is_mounted_ = false;
};

[[nodiscard]] std::filesystem::path fake_worker();
// Sets the script that the next fake workers play.
void set_script(const std::string& script);
// The action that writes the worker's process id to PATH.
[[nodiscard]] std::string write_pid(const std::filesystem::path& path);

[[nodiscard]] schema::PlannedCase planned_case(const std::string& model, std::int64_t batch_size,
                                               std::int64_t repeats = 1);
[[nodiscard]] schema::RunRecord run_record(std::vector<schema::PlannedCase> plan);
[[nodiscard]] schema::Launch launch_of(schema::Status status, std::int64_t index = 0);
[[nodiscard]] schema::LaunchRequest request_for(const schema::PlannedCase& planned);

// Plays SCRIPT as one launch of "net/train/cpu/b8". The machine has no sensors unless SENSORS are given.
[[nodiscard]] supervise::LaunchOutcome play(
    const std::string& script, const supervise::WorkerLimits& limits = {20, 0.2},
    const supervise::EventSink& on_event = [](const schema::Event&) {},
    const sensor::Places& sensors = {"/nowhere", "none"});

// Waits for the file and returns the number in it.
[[nodiscard]] pid_t await_pid(const std::filesystem::path& path);
// Whether process PID still runs after at most 5 s; with GROUP, whether any process of its group does.
// Zombies do not count.
[[nodiscard]] bool ends(pid_t pid);
[[nodiscard]] bool group_ends(pid_t group);

}  // namespace mpsbench::tests
