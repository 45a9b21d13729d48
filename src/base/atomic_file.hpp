// Writes files that are either complete or absent, and appends lines durably.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::base {

// Writes TEXT to a temporary file next to PATH, syncs it and renames it to PATH. Throws Error(incomplete)
// with the system's reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// An append-only file, locked against other writers. Each line is on the disk when append_line returns.
class DurableLog {
 public:
  // Creates PATH, which must not exist yet, or opens it to append. Throws Error(usage) if it cannot, or if
  // another DurableLog has the file open.
  enum class Open { create_new, append };
  DurableLog(const std::filesystem::path& path, Open mode);
  ~DurableLog();
  DurableLog(const DurableLog&) = delete;
  DurableLog& operator=(const DurableLog&) = delete;

  // LINE must not contain a line break. Throws Error(incomplete); the last line of the file may then be cut.
  void append_line(std::string_view line);

 private:
  std::filesystem::path path_;
  int fd_;
};

// Creates the folder of PATH and checks that a file can be written there. If not, throws Error(usage) that
// names OPTION, the option that set PATH.
void require_writable_place(const std::filesystem::path& path, const std::string& option = "--export-json");

}  // namespace mpsbench::base
