// Replaces what the worker knows about its platform at compile time: here it is a Mac. The linker uses this
// function instead of the library's own.
#include "device/kinds.hpp"
#include "settings.hpp"

#include <string>

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
