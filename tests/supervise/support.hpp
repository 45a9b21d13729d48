// What the tests of supervise/ share: a folder, cases, and the fake worker with a script.
#pragma once

#include "schema/report.hpp"
#include "supervise/launch_runner.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::tests {

// Gone at the end, a mounted file system on it too.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Puts a file system of SIZE ("64k") there; false when that is not allowed here.
  bool mount_small(const std::string& size);

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

[[nodiscard]] std::filesystem::path fake_worker();
// What the next fake workers play.
void set_script(const std::string& script);

[[nodiscard]] schema::PlannedCase planned_case(const std::string& model, std::int64_t batch_size,
                                               std::int64_t repeats = 1);
[[nodiscard]] schema::RunRecord run_record(std::vector<schema::PlannedCase> plan);
[[nodiscard]] schema::Launch launch_of(schema::Status status, std::int64_t index = 0);
[[nodiscard]] schema::LaunchRequest request_for(const schema::PlannedCase& planned);

// Plays SCRIPT as one launch of "net/train/cpu/b8", on a machine without sensors unless SENSORS are given.
[[nodiscard]] supervise::LaunchOutcome play(const std::string& script,
                                            supervise::LaunchLimits limits = {20, 0.2});
[[nodiscard]] supervise::LaunchOutcome play(const std::string& script, supervise::LaunchLimits limits,
                                            supervise::LaunchListener& listener,
                                            supervise::Interrupt& interrupt,
                                            const sensor::Places& sensors = {"/nowhere", "none"});

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
// The number in the file, once it is there.
[[nodiscard]] pid_t await_pid(const std::filesystem::path& path);
// Whether process PID, or with GROUP any of its process group, runs (a zombie does not); waits up to 5 s for
// the end.
[[nodiscard]] bool ends(pid_t pid);
[[nodiscard]] bool group_ends(pid_t group);

}  // namespace mpsbench::tests
