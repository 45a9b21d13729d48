#include "device/out_of_memory.hpp"

#include "base/units.hpp"

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
         words.find("out of memory") != std::string::npos ||
         words.find("_STATUS_ALLOC_FAILED") != std::string::npos;  // cuBLAS's and cuDNN's own
}

std::string out_of_memory_message(const std::string& words) {
  const std::string cure = "; lower --batch-size";
  const std::string wanted = between(words, "Tried to allocate ", ". ");
  const std::string free = between(words, "of which ", " is free");
  const std::string allowed = between(words, " memory in use. ", " allowed; ");
  if (!wanted.empty() && !free.empty()) {
    return "out of memory (asked for " + wanted + ", " + free + " free" +
           (allowed.empty() ? "" : ", " + allowed + " allowed to a launch") + ")" + cure;
  }
  const auto bytes = base::parse_whole_number(between(words, "you tried to allocate ", " bytes"));
  if (bytes)
    return "out of memory (asked for " + base::format_bytes(static_cast<double>(*bytes)) + ")" + cure;
  return words.substr(0, words.find('\n'));
}

}  // namespace mpsbench::device
