#include "base/machine_code.hpp"

#include "base/error.hpp"
#include "base/mapped_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mpsbench::base {
namespace {

// Where the header of a program or library says what it is.
struct Format {
  const char* system;
  std::string_view start;
  std::size_t kind_at;
  std::size_t machine_at;
  std::size_t bytes;                 // of both numbers
  std::vector<std::uint32_t> kinds;  // of programs and shared libraries, but not of object files
  std::vector<std::pair<std::uint32_t, const char*>> machines;
};

const std::array<Format, 2>& formats() {
  static const std::array kFormats{
      // ELF files for a GPU, which packages contain too, have other numbers of machines.
      Format{"Linux",
             "\x7F\x45LF\x02\x01\x01",
             16,
             18,
             2,
             {2, 3},
             {{0x3E, "x86-64"}, {0xB7, "aarch64"}, {0xF3, "riscv64"}, {0x15, "ppc64le"}}},
      Format{"macOS", "\xCF\xFA\xED\xFE", 12, 4, 4, {2, 6, 8}, {{0x01000007, "x86-64"}, {0x0100000C, "arm64"}}}};
  return kFormats;
}

// Returns the little-endian number of SIZE bytes at AT, or 0 beyond the end.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = (value << 8U) | (at + i < bytes.size() ? static_cast<std::uint8_t>(bytes[at + i]) : 0U);
  return value;
}

}  // namespace

std::string code_platform(std::string_view bytes) {
  for (const Format& format : formats()) {
    for (std::size_t at = 0; (at = bytes.find(format.start, at)) != std::string_view::npos; ++at) {
      if (!std::ranges::count(format.kinds, number_at(bytes, at + format.kind_at, format.bytes))) continue;
      const auto machine = std::ranges::find(format.machines, number_at(bytes, at + format.machine_at, format.bytes),
                                             [](const auto& one) { return one.first; });
      if (machine != format.machines.end()) return std::string(format.system) + " on " + machine->second;
    }
  }
  return "";
}

std::string own_platform() {
#if defined(__APPLE__) && defined(__aarch64__)
  return "macOS on arm64";
#elif defined(__APPLE__)
  return "macOS on x86-64";
#elif defined(__aarch64__)
  return "Linux on aarch64";
#elif defined(__x86_64__)
  return "Linux on x86-64";
#else
  return "";
#endif
}

std::string start_problem(const std::filesystem::path& program, const std::error_code& code) {
  std::string problem = code.message();
  if (code != std::errc::executable_format_error) return problem;
  try {
    const std::string platform = code_platform(MappedFile(program).text());
    if (!platform.empty() && platform != own_platform())
      problem += "; it was built for " + platform + ", but this is " + own_platform();
  } catch (const Error&) {
    return problem;  // a file that cannot be read can still be started
  }
  return problem;
}

}  // namespace mpsbench::base
