#include "suite/file_names.hpp"

#include "base/code_point.hpp"
#include "base/sha256.hpp"
#include "model/definition.hpp"

#include <filesystem>
#include <set>

namespace mpsbench::suite {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFolders = 64;  // that a name may contain
constexpr std::size_t kHashDigits = 8;

std::string hash_of(std::string_view text) {
  return "-" + base::sha256_hex(text).substr(0, kHashDigits);
}

// Returns the name of PATH with the nearest FOLDERS above it: "folder.name".
std::string name_of(const fs::path& path, bool with_ending, std::size_t folders) {
  std::string name = (with_ending ? path.filename() : path.stem()).string();
  fs::path folder = path.parent_path();
  for (std::size_t i = 0; i < folders && folder.has_relative_path(); ++i, folder = folder.parent_path())
    name = folder.filename().string() + "." + name;
  return safe_name(name, model::kMostNameCharacters);
}

using Names = std::map<fs::path, std::string>;

bool are_distinct(const Names& names) {
  std::set<std::string> seen;
  for (const auto& [path, name] : names) {
    if (!seen.insert(name).second) return false;
  }
  return true;
}

// Tells apart files whose short names are the same.
Names distinct_names(const std::vector<fs::path>& paths, bool with_ending) {
  Names names;
  for (std::size_t folders = 0; folders < kMostFolders; ++folders) {
    for (const bool whole : {with_ending, true}) {
      for (const fs::path& path : paths) names[path] = name_of(path, whole, folders);
      if (are_distinct(names)) return names;
    }
  }
  for (const fs::path& path : paths) names[path] = name_of(path, with_ending, 0) + hash_of(path.string());
  return names;
}

}  // namespace

std::string safe_name(std::string_view text, std::size_t most) {
  std::string name;
  std::size_t cut = 0;  // bytes of the name that stay before a hash
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const base::CodePoint next = base::first_code_point(text.substr(at));
    if (next.valid && model::is_name_character(next.value)) {
      name += text.substr(at, next.bytes);
    } else {
      name += '_';
    }
    at += next.bytes;
    if (count + 1 + kHashDigits + 1 <= most) cut = name.size();
  }
  if (count <= most) return name.empty() ? "_" : name;
  return name.substr(0, cut) + hash_of(text);
}

std::map<std::string, std::string> file_names(const std::vector<std::string>& files, bool with_ending) {
  std::map<std::string, fs::path> paths;
  std::map<std::string, std::vector<fs::path>> sharing;  // by short name
  std::set<fs::path> seen;
  for (const std::string& file : files) {
    const fs::path path = fs::absolute(file).lexically_normal();
    paths[file] = path;
    if (seen.insert(path).second) sharing[name_of(path, with_ending, 0)].push_back(path);
  }
  Names all;
  for (const auto& [name, some] : sharing) all.merge(distinct_names(some, with_ending));
  if (!are_distinct(all)) {
    for (auto& [path, name] : all) name = name_of(path, with_ending, 0) + hash_of(path.string());
  }
  std::map<std::string, std::string> names;
  for (const auto& [file, path] : paths) names[file] = all.at(path);
  return names;
}

std::string name_in_ids(const Settings& settings, const std::string& file, bool with_ending) {
  const auto found = settings.file_names.find(file);
  return found != settings.file_names.end() ? found->second : file_names({file}, with_ending).at(file);
}

}  // namespace mpsbench::suite
