#include "base/machine_code.hpp"

#include "base/error.hpp"
#include "base/mapped_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mpsbench::base {
namespace {

using Names = std::pair<std::uint32_t, const char*>;

constexpr std::string_view kElf64(
    "\x7F"
    "ELF\x02\x01\x01",
    7);  // little-endian
constexpr std::uint32_t kElfProgram = 2;
constexpr std::uint32_t kElfSharedObject = 3;  // most programs, too
// ELF files for a GPU, which packages contain too, have other numbers.
constexpr std::array<Names, 4> kElfMachines{
    {{0x3E, "x86-64"}, {0xB7, "aarch64"}, {0xF3, "riscv64"}, {0x15, "ppc64le"}}};

constexpr std::string_view kMachO64("\xCF\xFA\xED\xFE", 4);
constexpr std::uint32_t kMachOProgram = 2;
constexpr std::uint32_t kMachODylib = 6;
constexpr std::uint32_t kMachOBundle = 8;
constexpr std::array<Names, 2> kMachOMachines{{{0x01000007, "x86-64"}, {0x0100000C, "arm64"}}};

// Returns the little-endian number of SIZE bytes at AT, or 0 beyond the end.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = (value << 8U) | (at + i < bytes.size() ? static_cast<std::uint8_t>(bytes[at + i]) : 0U);
  return value;
}

template <typename Table>
std::string named(const Table& table, std::uint32_t number, const std::string& system) {
  for (const auto& [value, name] : table) {
    if (value == number) return system + " on " + name;
  }
  return "";
}

std::string elf_platform(std::string_view bytes) {
  for (std::size_t at = bytes.find(kElf64); at != std::string_view::npos; at = bytes.find(kElf64, at + 1)) {
    const std::uint32_t kind = number_at(bytes, at + 16, 2);
    if (kind != kElfProgram && kind != kElfSharedObject) continue;
    if (std::string found = named(kElfMachines, number_at(bytes, at + 18, 2), "Linux"); !found.empty()) return found;
  }
  return "";
}

std::string mach_o_platform(std::string_view bytes) {
  for (std::size_t at = bytes.find(kMachO64); at != std::string_view::npos; at = bytes.find(kMachO64, at + 1)) {
    const std::uint32_t kind = number_at(bytes, at + 12, 4);
    if (kind != kMachOProgram && kind != kMachODylib && kind != kMachOBundle) continue;
    if (std::string found = named(kMachOMachines, number_at(bytes, at + 4, 4), "macOS"); !found.empty()) return found;
  }
  return "";
}

}  // namespace

std::string code_platform(std::string_view bytes) {
  std::string found = elf_platform(bytes);
  return found.empty() ? mach_o_platform(bytes) : found;
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
