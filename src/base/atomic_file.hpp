// Writes files that are either complete or as they were before, and appends lines durably.
#pragma once

#include "base/descriptor.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace mpsbench::base {

// Makes TEXT the content of PATH, through symbolic links. A file keeps its mode and its owner, and a new one
// gets those of LIKE if that exists. The file is replaced as a whole, after its new content is on the disk.
// Only where a new file cannot take its place (it has other hard links, an owner whom this user cannot give
// it, or a folder that this user cannot write to) its content is overwritten. A FIFO, a device and a
// descriptor such as /dev/stderr get TEXT as a stream. Throws Error(incomplete) with the system's reason.
void write_file(const std::filesystem::path& path, std::string_view text, const std::filesystem::path& like = {});

// Writes all of TEXT to FD. Returns false if it cannot, with the reason in errno.
[[nodiscard]] bool write_all(int fd, std::string_view text);

// Opens the stream or descriptor PATH to write to. The descriptor is a copy. Returns -1 with the reason in
// errno if it cannot.
[[nodiscard]] Descriptor open_stream(const std::filesystem::path& path);

// An append-only file, locked against other writers from its first moment on. Each line is on the disk when
// append_line returns.
class DurableLog {
 public:
  // Makes a new file with TEXT, and mode and owner of LIKE if that exists. Throws Error(usage) if PATH exists
  // or cannot be written; then nothing is left.
  [[nodiscard]] static DurableLog create(const std::filesystem::path& path, std::string_view text,
                                         const std::filesystem::path& like = {});
  // Opens PATH to append. Throws Error(usage) if it cannot, or if another DurableLog has the file open.
  [[nodiscard]] static DurableLog open(const std::filesystem::path& path);

  // Whether another process, or another DurableLog of this one, has the file open.
  [[nodiscard]] static bool is_open_elsewhere(const std::filesystem::path& path);

  // LINE must not contain a line break. Throws Error(incomplete), also if the file has been removed or
  // replaced; the last line of the file may then be cut.
  void append_line(std::string_view line);
  // The same without waiting for the disk: the line survives the end of this process, but not of the machine.
  void add_line(std::string_view line);
  // Makes TEXT the whole content, or changes nothing and throws Error(incomplete). Makes the file again if it
  // has been removed, but does not replace one that another process has open.
  void replace(std::string_view text);
  // Removes the file, unless another has taken its name.
  void remove();

 private:
  DurableLog(std::filesystem::path path, Descriptor file);

  std::filesystem::path path_;
  Descriptor file_;
};

// Makes the folder of PATH and checks that a file can be written there, or PATH itself if it exists. If not,
// throws Error(usage) that names OPTION, the option that set PATH.
void require_writable_place(const std::filesystem::path& path, const std::string& option = "--export-json");

}  // namespace mpsbench::base
