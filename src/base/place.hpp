// What a path leads to, as a place to write to.
#pragma once

#include <filesystem>
#include <string>

namespace mpsbench::base {

struct Place {
  enum class Kind {
    file,        // a regular file, or a name that is free
    stream,      // a FIFO, terminal or other device that takes characters
    descriptor,  // one that this process was started with, such as /dev/stdout
  };
  Kind kind = Kind::file;
  std::filesystem::path path;  // behind all symbolic links; of a descriptor: as it was given
  int descriptor = -1;
  std::string obstacle;  // why nothing can be written there; empty if nothing is known against it
};

// Follows the symbolic links of PATH. "-" is stdout, and so is each of its names, such as /dev/stdout,
// /dev/fd/1 and /proc/self/fd/1, even if stdout is a file.
[[nodiscard]] Place place_of(const std::filesystem::path& path);

[[nodiscard]] bool is_stdout(const std::filesystem::path& path);

// Returns PATH, or what it leads to if it is a symbolic link.
[[nodiscard]] std::filesystem::path behind_links(const std::filesystem::path& path);

// Whether two paths lead to one file: by their names, which need not exist, or because both are names (hard
// links) of it.
[[nodiscard]] bool is_same_place(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace mpsbench::base
