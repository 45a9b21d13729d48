// Makes bytes in the formats of the data sets. They are valid unless a test damages them.
#pragma once

#include "dataset/shared_bytes.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::tests {

inline std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> static_cast<unsigned>(shift));
  return bytes;
}

inline std::string idx(const std::vector<std::uint32_t>& sizes, const std::string& values) {
  std::string bytes = big_endian(0x800 + static_cast<std::uint32_t>(sizes.size()));
  for (const std::uint32_t size : sizes) bytes += big_endian(size);
  return bytes + values;
}

// Record i has the label (FIRST + i) % 10, and each of its pixels is that label plus 100.
inline std::string cifar_file(int rows, int first = 0) {
  std::string bytes;
  for (int row = 0; row < rows; ++row) {
    const int label = (first + row) % 10;
    bytes += static_cast<char>(label);
    bytes += std::string(3072, static_cast<char>(100 + label));
  }
  return bytes;
}

struct TarMember {
  std::string name;
  std::string content;
  char type = '0';
};

// Returns a ustar archive. SIZE_FIELD, if given, replaces the size of the first member.
inline std::string tar_of(const std::vector<TarMember>& members, const std::string& size_field = "") {
  std::string archive;
  for (const TarMember& member : members) {
    std::string header(512, '\0');
    char size[13] = "";
    std::snprintf(size, sizeof size, "%011o", static_cast<unsigned>(member.content.size()));
    header.replace(0, member.name.size(), member.name);
    header.replace(124, 11, archive.empty() && !size_field.empty() ? size_field : size);
    header.replace(148, 8, "        ");
    header[156] = member.type;
    header.replace(257, 8, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char byte : header) sum += static_cast<std::uint8_t>(byte);
    char checksum[8] = "";
    std::snprintf(checksum, sizeof checksum, "%06o", sum);
    header.replace(148, 7, std::string(checksum, 7));
    archive += header + member.content + std::string((512 - member.content.size() % 512) % 512, '\0');
  }
  return archive + std::string(1024, '\0');
}

}  // namespace mpsbench::tests
