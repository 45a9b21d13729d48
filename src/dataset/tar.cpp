#include "dataset/tar.hpp"

#include "base/units.hpp"
#include "dataset/data_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace mpsbench::dataset {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::uint64_t kMostTakenBytes = 2 * kMostUnpackedBytes;  // for all requested files together

// Position and length of a field in a header block (POSIX.1-1988, "ustar").
struct HeaderField {
  std::size_t offset;
  std::size_t bytes;
};
constexpr HeaderField kName{0, 100};
constexpr HeaderField kSize{124, 12};
constexpr HeaderField kChecksum{148, 8};
constexpr std::size_t kTypeOffset = 156;

using Header = std::array<std::uint8_t, kBlock>;

// Returns the text of the field up to its first zero byte.
std::string text_in(const Header& header, HeaderField field) {
  const auto* first = reinterpret_cast<const char*>(header.data()) + field.offset;
  const std::string_view all(first, field.bytes);
  return std::string(all.substr(0, all.find('\0')));
}

// Returns nullopt if the field is not an octal number surrounded by blanks.
std::optional<std::uint64_t> octal_in(const Header& header, HeaderField field) {
  std::string text = text_in(header, field);
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  if (text.empty() || text.find_first_not_of("01234567") != std::string::npos) return std::nullopt;
  return std::stoull(text, nullptr, 8);  // at most 12 digits
}

// Returns the sum of all bytes. The bytes of the checksum field itself count as blanks.
std::uint64_t checksum_of(const Header& header) {
  std::uint64_t sum = kChecksum.bytes * std::uint64_t{' '};
  for (std::size_t at = 0; at < kBlock; ++at) {
    if (at < kChecksum.offset || at >= kChecksum.offset + kChecksum.bytes) sum += header[at];
  }
  return sum;
}

bool is_end(const Header& header) {
  return std::all_of(header.begin(), header.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

std::map<std::string, std::vector<std::uint8_t>> read_tar(const std::filesystem::path& path,
                                                          GzipReader& reader,
                                                          const std::vector<std::string>& wanted) {
  std::map<std::string, std::vector<std::uint8_t>> found;
  Header header{};
  bool ended = false;
  std::uint64_t taken = 0;
  while (reader.read(header) == kBlock) {
    ended = ended || is_end(header);
    if (ended) continue;  // padding up to the end of the gzip data
    const std::optional<std::uint64_t> size = octal_in(header, kSize);
    if (octal_in(header, kChecksum) != checksum_of(header) || !size) {
      throw damaged(path, "is not a tar archive or is corrupt");
    }
    const std::string name = std::filesystem::path(text_in(header, kName)).filename().string();
    const bool regular = header[kTypeOffset] == '0' || header[kTypeOffset] == '\0';
    std::uint64_t left = (*size + kBlock - 1) / kBlock * kBlock;
    if (regular && std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      taken += *size;
      if (taken > kMostTakenBytes)
        throw damaged(path,
                      "contains files of more than " + base::format_bytes(kMostTakenBytes) + " in total");
      if (!found.try_emplace(name, reader.take(*size)).second)
        throw damaged(path, "contains " + name + " twice");
      left -= *size;
    }
    reader.skip(left);
  }
  if (!ended) throw damaged(path, "is truncated: the end of the tar archive is missing");
  return found;
}

}  // namespace mpsbench::dataset
