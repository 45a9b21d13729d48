#include "device/out_of_memory.hpp"

namespace mpsbench::device {
namespace {

// What stands in WORDS between BEFORE and AFTER; empty when either is missing.
std::string between(const std::string& words, const std::string& before, const std::string& after) {
  const std::size_t found = words.find(before);
  if (found == std::string::npos) return "";
  const std::size_t begin = found + before.size();
  const std::size_t end = words.find(after, begin);
  return end == std::string::npos ? "" : words.substr(begin, end - begin);
}

}  // namespace

bool says_out_of_memory(const std::string& words) {
  return words.find("can't allocate memory") != std::string::npos ||
         words.find("out of memory") != std::string::npos;
}

std::string out_of_memory_message(const std::string& words) {
  const std::string wanted = between(words, "Tried to allocate ", ". ");
  const std::string free = between(words, "of which ", " is free");
  if (wanted.empty() || free.empty()) return words.substr(0, words.find('\n'));
  return "out of memory (asked for " + wanted + ", " + free + " free)";
}

}  // namespace mpsbench::device
