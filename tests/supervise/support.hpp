// Shared by the tests of supervise/: a temporary folder, cases, and the fake worker with a script.
#pragma once

#include "schema/report.hpp"
#include "supervise/launch_runner.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::tests {

// A temporary folder. The destructor deletes it and unmounts a file system on it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Mounts a file system of SIZE ("64k") on the folder. Returns false if that is not allowed here.
  bool mount_small(const std::string& size);

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

[[nodiscard]] std::filesystem::path fake_worker();
// Sets the script that the next fake workers play.
void set_script(const std::string& script);

[[nodiscard]] schema::PlannedCase planned_case(const std::string& model, std::int64_t batch_size,
                                               std::int64_t repeats = 1);
[[nodiscard]] schema::RunRecord run_record(std::vector<schema::PlannedCase> plan);
[[nodiscard]] schema::Launch launch_of(schema::Status status, std::int64_t index = 0);
[[nodiscard]] schema::LaunchRequest request_for(const schema::PlannedCase& planned);

// Plays SCRIPT as one launch of "net/train/cpu/b8". The machine has no sensors unless SENSORS are given.
[[nodiscard]] supervise::LaunchOutcome play(const std::string& script, supervise::LaunchLimits limits = {20, 0.2});
[[nodiscard]] supervise::LaunchOutcome play(const std::string& script, supervise::LaunchLimits limits,
                                            supervise::LaunchListener& listener, supervise::Interrupt& interrupt,
                                            const sensor::Places& sensors = {"/nowhere", "none"});

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
// Waits for the file and returns the number in it.
[[nodiscard]] pid_t await_pid(const std::filesystem::path& path);
// Whether process PID still runs after at most 5 s; with GROUP, whether any process of its group does.
// Zombies do not count.
[[nodiscard]] bool ends(pid_t pid);
[[nodiscard]] bool group_ends(pid_t group);

}  // namespace mpsbench::tests
