// Parses LibTorch's version text, both of releases and of development builds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mpsbench::report {

struct TorchVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::string pre;    // "dev20220522", "rc1", "a0"; empty for a release
  std::string build;  // "cu102", "cpu", "git1234abc"; may be empty

  [[nodiscard]] bool at_least(int wanted_major, int wanted_minor) const;
};

// Parses texts such as "2.13.0+cpu", "1.13.0.dev20220522+cu102" and "2.9.0a0+gitabc". Returns nullopt for
// anything else.
[[nodiscard]] std::optional<TorchVersion> parse_torch_version(std::string_view text);

}  // namespace mpsbench::report
