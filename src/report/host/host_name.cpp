#include "report/host/host_name.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/random_hex.hpp"
#include "report/host/privacy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kIdLength = 4;
constexpr std::size_t kLongestSlug = 40;

// The runs of letters and digits in TEXT, in lower case.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  bool inside = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte < 0x80 && std::isalnum(byte) != 0;
    if (letter && !inside) found.emplace_back();
    if (letter) found.back() += static_cast<char>(std::tolower(byte));
    inside = letter;
  }
  return found;
}

bool is_filler(const std::string& word) {
  constexpr std::array<std::string_view, 12> kFillers{
      "intel", "amd", "apple", "arm", "r", "tm", "cpu", "processor", "with", "gen", "graphics", "radeon"};
  const bool cores = word == "core" || word == "cores";
  return cores || std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end();
}

bool is_id(std::string_view text) {
  return text.size() == kIdLength && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Returns the id in the state file or, if there is none, a new id, which it writes there if possible.
std::string kept_id(const fs::path& folder) {
  const fs::path file = folder / "host-id";
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) {
    try {
      const std::string id = base::read_text_file(file, 64).substr(0, kIdLength);
      if (is_id(id)) return id;
    } catch (const base::Error&) {  // NOLINT(bugprone-empty-catch): an unreadable file counts as missing
    }
  }
  const std::string id = base::random_hex(kIdLength);
  try {
    fs::create_directories(folder, ignored);
    if (!ignored) base::write_file(file, id + "\n");
  } catch (const base::Error&) {  // NOLINT(bugprone-empty-catch): if unwritable, the name changes each time
  }
  return id;
}

}  // namespace

std::string slug(std::string_view cpu_model) {
  // "@ 2.80GHz" is the clock rate, not part of the model.
  std::string text;
  for (const std::string& word : words(cpu_model.substr(0, cpu_model.find('@')))) {
    if (is_filler(word)) continue;
    if (text.size() + word.size() + 1 > kLongestSlug) break;
    text += (text.empty() ? "" : "-") + word;
  }
  return text.empty() ? "machine" : text;
}

std::string host_name(std::string_view cpu_model, const fs::path& folder) {
  return slug(cpu_model) + "-" + kept_id(folder);
}

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && fs::path(state).is_absolute()) return fs::path(state) / "mpsbench";
  return fs::path(expand_home("~/.local/state")) / "mpsbench";
}

}  // namespace mpsbench::report
