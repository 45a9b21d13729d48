#include "report/host/privacy.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace mpsbench::report {
namespace {

constexpr std::string_view kPathEdges = ":;,=\"' \t\n()[]{}";

bool ends_name(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == '/' || kPathEdges.find(text[at]) != std::string_view::npos;
}

// Whether a short option, perhaps after other flags, comes directly before AT, as in
// "-m/home/alice/net.json".
bool follows_short_option(std::string_view text, std::size_t at) {
  return at >= 2 && text[0] == '-' &&
         std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(at),
                     [](unsigned char c) { return std::isalpha(c) != 0; });
}

// Whether a path starts at AT. It does not if AT is inside a longer path: "/mnt/root" is not root's home, but
// "file:///root" contains it.
bool starts_path(std::string_view text, std::size_t at) {
  return at == 0 || follows_short_option(text, at) || text[at - 1] == '/' ||
         kPathEdges.find(text[at - 1]) != std::string_view::npos;
}

// Returns the length of the home folder at AT, or 0 if there is none.
std::size_t home_length(std::string_view text, std::size_t at, std::string_view home) {
  const std::string_view rest = text.substr(at);
  if (!home.empty() && rest.substr(0, home.size()) == home && ends_name(rest, home.size()))
    return home.size();
  constexpr std::string_view kRoot = "/root";
  if (rest.substr(0, kRoot.size()) == kRoot && ends_name(rest, kRoot.size())) return kRoot.size();
  for (const std::string_view parent : {"/home/", "/Users/"}) {
    if (rest.substr(0, parent.size()) != parent) continue;
    std::size_t end = parent.size();
    while (!ends_name(rest, end)) ++end;
    if (end > parent.size()) return end;
  }
  return 0;
}

// Returns the user's home folder without a slash at its end, or an empty text if there is none or if it is
// "/".
std::string home_folder() {
  const char* variable = std::getenv("HOME");
  std::string home = variable != nullptr ? variable : "";
  if (home.empty()) {
    const passwd* entry = getpwuid(getuid());
    if (entry != nullptr && entry->pw_dir != nullptr) home = entry->pw_dir;
  }
  while (!home.empty() && home.back() == '/') home.pop_back();
  return home;
}

bool is_allowed(std::string_view name) {
  constexpr std::array<std::string_view, 7> kPrefixes{"OMP_",     "MKL_",    "GOMP_",  "KMP_",
                                                      "PYTORCH_", "CUBLAS_", "MALLOC_"};
  // NCCL has other variables, too, which have addresses or paths.
  constexpr std::array<std::string_view, 10> kNames{
      "CUDA_VISIBLE_DEVICES", "NVIDIA_TF32_OVERRIDE", "GLIBC_TUNABLES", "NCCL_ALGO",
      "NCCL_IB_DISABLE",      "NCCL_P2P_DISABLE",     "NCCL_P2P_LEVEL", "NCCL_PROTO",
      "NCCL_SHM_DISABLE",     "NCCL_SOCKET_IFNAME"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; });
}

}  // namespace

std::string hide_home(std::string_view text, std::string_view home) {
  std::string hidden;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '/' && starts_path(text, at) ? home_length(text, at, home) : 0;
    if (length > 0) {
      hidden += '~';
      at += length;
    } else {
      hidden += text[at++];
    }
  }
  return hidden;
}

std::string hide_home(std::string_view text) {
  return hide_home(text, home_folder());
}

std::string expand_home(std::string_view path) {
  const bool abbreviated = path == "~" || path.substr(0, 2) == "~/";
  return abbreviated ? home_folder() + std::string(path.substr(1)) : std::string(path);
}

std::map<std::string, std::string> allowed_environment(const char* const* environment) {
  std::map<std::string, std::string> allowed;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !is_allowed(entry.substr(0, equals))) continue;
    allowed[std::string(entry.substr(0, equals))] = hide_home(entry.substr(equals + 1));
  }
  return allowed;
}

}  // namespace mpsbench::report
