// The run's journal, STEM.jsonl: plan, host and options in the first line, then a line for each finished
// launch, synced.
#pragma once

#include "base/atomic_file.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/report.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace mpsbench::supervise {

class Journal {
 public:
  // Writes RECORD, launches included, to the new file PATH. Throws Error(usage) when PATH exists or cannot be
  // written.
  static Journal create(const std::filesystem::path& path, const schema::RunRecord& record);
  // The same over an existing journal, to go on with it: whole or not at all, a torn line is gone. Throws
  // Error(usage) while another run writes it.
  static Journal replace(const std::filesystem::path& path, const schema::RunRecord& record);

  // The run so far. A torn last line is left out with a warning. Throws Error(usage) for anything else that
  // is wrong.
  [[nodiscard]] static schema::RunRecord load(const std::filesystem::path& path);
  // Whether the file begins as a journal does; false for a report and for a file that cannot be read.
  [[nodiscard]] static bool is_journal(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // On the disk when these return. They throw Error(incomplete), also when the file is no longer there.
  void append(const std::string& case_id, const schema::Launch& launch);
  void append(const schema::LibtorchInfo& libtorch);
  // Writes the whole of RECORD again, in a new folder if the old one has vanished. Throws Error(incomplete or
  // usage).
  void rewrite(const schema::RunRecord& record);
  // When the final report is written.
  void remove();

 private:
  Journal(std::filesystem::path path, std::unique_ptr<base::DurableLog> log);
  void append_line(const std::string& line);

  std::filesystem::path path_;
  std::unique_ptr<base::DurableLog> log_;
};

}  // namespace mpsbench::supervise
