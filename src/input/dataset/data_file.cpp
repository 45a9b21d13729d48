#include "input/dataset/data_file.hpp"

#include "base/hex.hpp"
#include "base/mapped_file.hpp"
#include "input/dataset/catalog.hpp"

#include <sstream>
#include <system_error>

namespace mpsbench::dataset {

namespace {

constexpr const char* kSums = "SHA256SUMS";
constexpr std::size_t kDigits = 64;

std::string_view text_of(const SharedBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()};
}

// Returns the checksum of FILE that SHA256SUMS in the same folder lists. Its lines have the format of
// sha256sum: "HEX  NAME" or "HEX *NAME".
std::optional<std::string> listed_checksum(const std::filesystem::path& file) {
  const std::filesystem::path sums = file.parent_path() / kSums;
  std::error_code ignored;
  if (!std::filesystem::exists(sums, ignored)) return std::nullopt;
  std::istringstream lines{std::string(text_of(map_file(sums)))};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();  // written by editors on Windows
    const bool sound =
        line.size() > kDigits + 2 && line[kDigits] == ' ' && line.find_first_not_of("0123456789abcdef") == kDigits;
    if (!sound) {
      throw base::usage_error(sums.string() + ": line " + std::to_string(number) +
                              " is not 'SHA-256, two blanks, name'; delete the file, or make it again with sha256sum");
    }
    const std::filesystem::path name(line.substr(kDigits + 2));
    if (name.lexically_normal() == file.filename()) return line.substr(0, kDigits);
  }
  return std::nullopt;
}

}  // namespace

SharedBytes map_file(const std::filesystem::path& path) {
  const auto file = std::make_shared<const base::MappedFile>(path);
  const std::string_view text = file->text();
  if (text.empty()) {
    throw base::usage_error(
        path.string() +
        ": is empty; download it again (scripts/fetch_data) or make it again (scripts/make_fixture.py)");
  }
  return {file, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}};
}

base::Error damaged(const std::filesystem::path& file, const std::string& problem) {
  return base::usage_error(file.string() + ": " + problem +
                           "; download it again (scripts/fetch_data) or make it again (scripts/make_fixture.py)");
}

base::Error missing(const std::filesystem::path& folder, const std::string& problem, schema::Dataset dataset) {
  std::string text = folder.string() + ": " + problem + "; 'scripts/fetch_data " + to_string(dataset) + " --data-dir " +
                     folder.string() + "' downloads ";
  const char* separator = "";
  for (const PublishedFile& file : info_of(dataset).files) {
    text += separator + std::string(file.name);
    separator = ", ";
  }
  return base::usage_error(
      text + " (without a network, it prints their addresses); or use --dataset synthetic, which needs no files");
}

void require_folder(const std::filesystem::path& folder, schema::Dataset dataset) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) throw missing(folder, "no such folder", dataset);
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw base::usage_error(folder.string() + ": is a file; give --data-dir the folder that contains it");
  }
}

base::Error packed(const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::string command =
      name.ends_with(".tar.gz") ? "tar -xzf " + name + " -C " + file.parent_path().string() : "gunzip -k " + name;
  return base::usage_error(name + ": is packed; unpack it with '" + command + "'");
}

void refuse_packed(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names) {
    const std::filesystem::path file = folder / (name + ".gz");
    if (std::filesystem::exists(file, ignored)) throw packed(file);
  }
}

std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                               const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names) {
    std::filesystem::path file = folder / name;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return std::nullopt;
}

SharedBytes open_verified(const std::filesystem::path& file) {
  SharedBytes bytes = map_file(file);
  std::optional<std::string> expected = listed_checksum(file);
  const std::string source = expected ? kSums : "the published file";
  const PublishedFile* published = published_file(file.filename().string());
  if (!expected && published != nullptr && bytes.view.size() == published->bytes) expected = published->sha256;
  if (!expected) return bytes;
  const std::string found = base::sha256_hex(text_of(bytes));
  if (found != expected) {
    throw damaged(file, "is damaged: its SHA-256 is " + found + ", but that of " + source + " is " + expected.value());
  }
  return bytes;
}

std::string file_sha256(const std::filesystem::path& file) {
  return base::sha256_hex(text_of(map_file(file)));
}

}  // namespace mpsbench::dataset
