#include "settings.hpp"

#include "device/kinds.hpp"

#include <c10/util/Exception.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

namespace mpsbench::standin {
namespace {

// About as many as Metal allows. Queued operators keep their memory in use.
constexpr std::size_t kMostQueued = 256;

std::optional<std::string> variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : std::optional<std::string>(text);
}

std::size_t number(const char* name, std::size_t otherwise) {
  const auto text = variable(name);
  if (!text) return otherwise;
  std::size_t value = 0;
  const char* end = text->data() + text->size();
  const auto [last, error] = std::from_chars(text->data(), end, value);
  TORCH_CHECK(error == std::errc() && last == end, name, " is not a number: ", *text);
  return value;
}

Synchronise read_synchronise() {
  constexpr const char* kName = "MPSBENCH_STANDIN_SYNCHRONISE";
  const auto text = variable(kName);
  if (!text) return Synchronise::waits;
  if (*text == "early") return Synchronise::early;
  TORCH_CHECK(*text == "never", kName, " must be early or never, but is: ", *text);
  return Synchronise::never;
}

// Two thirds of the machine's memory, which macOS recommends on Macs with little memory.
std::size_t recommended_bytes() {
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 3 * 2;
}

Settings read() {
  Settings all;
  all.synchronise = read_synchronise();
  all.memory_bytes = number("MPSBENCH_STANDIN_MEMORY_BYTES", recommended_bytes());
  all.largest_buffer_bytes = number("MPSBENCH_STANDIN_LARGEST_BUFFER_BYTES", all.memory_bytes / 2);
  all.most_queued = number("MPSBENCH_STANDIN_MOST_QUEUED", kMostQueued);
  return all;
}

}  // namespace

const Settings& settings() {
  static const Settings all = read();
  return all;
}

}  // namespace mpsbench::standin

// Replaces what the worker knows about its platform at compile time: here it is a Mac. The linker uses this
// function instead of the library's own.
namespace mpsbench::device {

PlatformFacts platform_facts() {
  PlatformFacts facts;
  facts.macos = true;
  facts.system_version = std::to_string(standin::kMacosMajor) + "." + std::to_string(standin::kMacosMinor);
  facts.arm64_process = true;
  facts.mps_built = true;
  facts.mps_available = true;
  return facts;
}

}  // namespace mpsbench::device
