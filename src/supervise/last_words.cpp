#include "supervise/last_words.hpp"

#include "base/environment.hpp"

#include <algorithm>
#include <ranges>
#include <sstream>
#include <string_view>
#include <vector>

namespace mpsbench::supervise {
namespace {

// What a line contains that tells why a program ended.
struct Reason {
  std::string_view words;
  const char* cure = "";      // empty: none is known
  bool is_of_openmp = false;  // a variable may be to blame
};

constexpr const char* kMoreThreads =
    "allow more processes and threads (ulimit -u, a container's limit of pids), or use fewer --threads";
constexpr const char* kMoreMemory = "allow more memory (ulimit -v, a container's limit), or lower --batch-size";
constexpr const char* kOtherBuild = "build mpsbench again with the LibTorch that is installed";
constexpr const char* kDriver = "nvidia-smi shows whether the driver works; check CUDA_VISIBLE_DEVICES, too";

// The first that fits counts.
constexpr Reason kReasons[] = {
    {"Thread creation failed", kMoreThreads, true},
    {"unable to allocate necessary resources for OMP thread", kMoreThreads, true},
    {"Resource temporarily unavailable", kMoreThreads},
    {"failed to map segment from shared object", kMoreMemory},
    {"Cannot allocate memory", kMoreMemory},
    {"cannot allocate memory", kMoreMemory},
    {"undefined symbol", kOtherBuild},
    {"symbol lookup error", kOtherBuild},
    {"Symbol not found", kOtherBuild},
    {"version `", "build mpsbench on this machine, or use a system with newer libraries"},
    {"error while loading shared libraries",
     "install this library, or name its folder in LD_LIBRARY_PATH; `mpsbench doctor` says more"},
    {"Library not loaded", "install this library, or build mpsbench again; `mpsbench doctor` says more"},
    {"driver version is insufficient", "update the NVIDIA driver, or use a LibTorch for an older CUDA"},
    {"CUDA driver initialization failed", kDriver},
    {"CUDA unknown error", kDriver},
    {"no CUDA-capable device", kDriver},
    {"system not yet initialized", kDriver},
    {"No space left on device", "free some space, also in /dev/shm and the folder for temporary files (TMPDIR)"},
    {"Too many open files", "allow more open files (ulimit -n)"},
    {"SIGILL", "the CPU lacks an instruction that the program uses: build it on this machine"},
    {"CUDA error"},
    {"what():"},
    {"terminate called"},
    {"libc++abi:"},
    {"libgomp:", "", true},
    {"OMP: Error", "", true},
    {"AddressSanitizer:"},
    {"ThreadSanitizer:"},
    {"Assertion"},
    {"INTERNAL ASSERT FAILED"},
    {"*** stack smashing detected ***"},
    {"corrupted"},
    {"double free"},
    {"invalid pointer"}};

const Reason* reason_in(std::string_view text) {
  const auto* found = std::ranges::find_if(
      kReasons, [&](const Reason& reason) { return text.find(reason.words) != std::string_view::npos; });
  return found == std::end(kReasons) ? nullptr : found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    lines.push_back(line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin));
  }
  return lines;
}

bool is_beside_the_point(const std::string& line) {
  return line.starts_with("[W") || line.find("arning:") != std::string::npos || line.starts_with("frame #") ||
         line.starts_with("Exception raised from");
}

std::string without_prefix(std::string line) {
  constexpr std::string_view kWhat = "what():";
  if (!line.starts_with(kWhat)) return line;
  return line.substr(std::min(line.find_first_not_of(' ', kWhat.size()), line.size()));
}

}  // namespace

std::string last_line(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  return lines.empty() ? "" : lines.back();
}

std::string telling_line(const std::string& stderr_tail) {
  for (const std::string& line : lines_of(stderr_tail) | std::views::reverse) {
    if (!is_beside_the_point(line) && reason_in(line) != nullptr) return without_prefix(line);
  }
  return "";
}

std::string last_words(const std::string& stderr_tail) {
  std::string told = telling_line(stderr_tail);
  if (!told.empty()) return told;
  for (const std::string& line : lines_of(stderr_tail) | std::views::reverse) {
    if (!is_beside_the_point(line)) return line;
  }
  return "";
}

std::string with_cure(const std::string& message, bool is_at_start) {
  if (message.find("; ") != std::string::npos) return message;
  const Reason* reason = reason_in(message);
  const std::string cure = reason == nullptr ? "" : reason->cure;
  if ((reason != nullptr && reason->is_of_openmp) || (is_at_start && cure.empty())) {
    if (const std::string blamed = base::blame_openmp(message, cure); !blamed.empty()) return blamed;
  }
  return cure.empty() ? message : message + "; " + cure;
}

}  // namespace mpsbench::supervise
