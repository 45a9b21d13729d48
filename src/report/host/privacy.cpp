#include "report/host/privacy.hpp"

#include "report/host/variables.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace mpsbench::report {
namespace {

constexpr std::string_view kPathEdges = ":;,=\"' \t\n()[]{}";

bool ends_name(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == '/' || kPathEdges.find(text[at]) != std::string_view::npos;
}

// Whether a short option, perhaps after other flags, comes directly before AT, as in "-m/home/alice/net.json".
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
  if (!home.empty() && rest.substr(0, home.size()) == home && ends_name(rest, home.size())) return home.size();
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

// Returns the user's home folder without a slash at its end, or an empty text if there is none or if it is "/".
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

// Whether a variable with this name, which only its family allows, may hold a secret, a name or an address,
// or has nothing to do with speed.
bool is_left_out(std::string_view name) {
  constexpr std::string_view kEnds[] = {"_DIR",   "_DIRECTORY", "_FILE", "_HOME", "_ID",
                                        "_LOGIN", "_PATH",      "_ROOT", "_OUT",  "_VERSION"};
  return contains_any(name, {"TOKEN", "KEY", "SECRET", "PASS", "PWD", "CREDENTIAL", "AUTH", "CERT", "USER", "MAIL",
                             "HOST", "ADDR", "SERVER", "PROXY", "URL", "URI", "ENDPOINT"}) ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

// Whether VALUE is an address on the network or of a person.
bool is_address(std::string_view value) {
  return contains_any(value, {"://", "@"});
}

// Returns TEXT with the folders of paths left out: of all paths, or only of absolute ones.
std::string without_folders(std::string_view text, bool of_all_paths) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find_first_of(kPathEdges, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (of_all_paths || word.starts_with('/')) {
      while (word.size() > 1 && word.ends_with('/')) word.remove_suffix(1);
      word.remove_prefix(std::min(word.rfind('/') + 1, word.size()));
    }
    result += word;
    if (end < text.size()) result += text[end++];
    at = end;
  }
  return result;
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
    if (equals == std::string_view::npos) continue;
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    const Variable* row = find_variable(name);
    if (row == nullptr || (row->is_family() && (is_left_out(name) || is_address(value)))) continue;
    const bool is_program = name == "LD_PRELOAD" || name == "DYLD_INSERT_LIBRARIES";
    allowed[std::string(name)] = without_folders(is_program ? value : hide_home(value), is_program);
  }
  return allowed;
}

}  // namespace mpsbench::report
