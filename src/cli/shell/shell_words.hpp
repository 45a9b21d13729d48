// Functions that the completion scripts share.
#pragma once

#include "cli/shell/command_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace mpsbench::cli {

inline std::string joined(const std::vector<std::string>& words, const std::string& between) {
  return fmt::format("{}", fmt::join(words, between));
}

inline std::vector<std::string> option_words(const Command& command) {
  std::vector<std::string> words;
  for (const Argument& option : command.options)
    words.insert(words.end(), option.names.begin(), option.names.end());
  return words;
}

inline std::vector<std::string> command_words(const Command& command) {
  std::vector<std::string> words;
  for (const Command& one : command.commands) words.push_back(one.name);
  return words;
}

// Replaces every OLD in TEXT.
inline std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

}  // namespace mpsbench::cli
