// Files that are either whole or absent, and durable appends.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::base {

// Writes TEXT beside PATH, syncs it and renames it to PATH. Throws Error(incomplete) with the system's
// reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// An append-only file whose lines are on the disk when append_line returns, locked against other writers.
class DurableLog {
 public:
  // Creates PATH, which must not exist yet, or opens it to append. Throws Error(usage) when it cannot, or
  // when another DurableLog has it open.
  enum class Open { create_new, append };
  DurableLog(const std::filesystem::path& path, Open mode);
  ~DurableLog();
  DurableLog(const DurableLog&) = delete;
  DurableLog& operator=(const DurableLog&) = delete;

  // LINE must hold no line break. Throws Error(incomplete); a torn last line is possible then.
  void append_line(std::string_view line);

 private:
  std::filesystem::path path_;
  int fd_;
};

// Creates the folder of PATH and proves that a file can be written there. Throws Error(usage), which names
// OPTION, by which the user chose PATH.
void require_writable_place(const std::filesystem::path& path, const std::string& option = "--export-json");

}  // namespace mpsbench::base
