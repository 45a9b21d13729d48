// The run's journal, STEM.jsonl: a line with plan, host and options, then one per finished launch, all synced to
// the disk; before that, lines with the parts of the launch that runs.
#pragma once

#include "base/atomic_file.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace mpsbench::supervise {

// Returns at most the first COUNT bytes of PATH, and none if it is no regular file: opening a pipe would wait
// for its writer.
[[nodiscard]] std::string beginning_of(const std::filesystem::path& path, std::size_t count);

class Journal {
 public:
  // Writes RECORD to the new file PATH, with mode and owner of REPORT if that exists. Throws Error(usage) like
  // require_none(), or if PATH cannot be written; then nothing is left.
  static Journal create(const std::filesystem::path& path, const schema::RunRecord& record,
                        const std::filesystem::path& report = {});
  // Replaces an existing journal by RECORD, completely or not at all. Throws Error(usage) like require_free().
  static Journal replace(const std::filesystem::path& path, const schema::RunRecord& record);

  // Throws Error(usage), with the number of the process, if another mpsbench is writing PATH.
  static void require_free(const std::filesystem::path& path);
  // The same, also if an unfinished run has left PATH.
  static void require_none(const std::filesystem::path& path);

  // Returns the run so far. Ignores an incomplete last line with a warning. Throws Error(usage) for anything
  // else that is wrong.
  [[nodiscard]] static schema::RunRecord load(const std::filesystem::path& path);
  // Whether the file begins like a journal; false for a report and for a file that cannot be read.
  [[nodiscard]] static bool is_journal(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // When these return, the line is on the disk. They throw Error(incomplete) if it cannot be written, or if
  // the file no longer exists.
  void append(const std::string& case_id, const schema::Launch& launch);
  void append(const schema::LibtorchInfo& libtorch);
  // Adds what a running launch has measured since the last part, without waiting for the disk.
  void append_part(const std::string& case_id, const schema::Launch& part);
  // Writes RECORD again, and makes the folder again if it no longer exists. Throws Error(incomplete or usage).
  void rewrite(const schema::RunRecord& record);
  // Deletes the journal. Call this when the final report has been written.
  void remove();

 private:
  Journal(std::filesystem::path path, base::DurableLog log);

  std::filesystem::path path_;
  base::DurableLog log_;
};

}  // namespace mpsbench::supervise
