// What the worker knows of its platform at compile time, said anew: a Mac. The linker takes this function and
// leaves the library's own where it is.
#include "device/availability.hpp"
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
