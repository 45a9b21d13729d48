// Tokenizes texts with src/input/text, for the comparison with the Rust tokenizer
// (scripts/dev/compare_tokenizers.py):
//
//   tokenize_lines words                          the words of the basic tokenizer
//   tokenize_lines ids VOCABULARY MAX_LENGTH      the ids
//   tokenize_lines seconds VOCABULARY MAX_LENGTH  the time to tokenize all texts, without reading and writing
//   tokenize_lines unicode                        the version of the Unicode tables
//
// Reads one JSON text per line and writes one JSON array for each. `seconds` and `unicode` write one line in
// total.
#include "base/clock.hpp"
#include "input/text/tokenizer.hpp"

#include <nlohmann/json.hpp>
#include <utf8proc.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

using mpsbench::text::next_word;
using mpsbench::text::Tokenizer;
using nlohmann::json;

template <typename Use>
void for_each_text(Use&& use) {
  for (std::string line; std::getline(std::cin, line);) use(json::parse(line).get<std::string>());
}

std::vector<std::string> words_of(const std::string& text) {
  const std::string normalised = mpsbench::text::normalise(text);
  std::string_view rest = normalised;
  std::vector<std::string> words;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) words.emplace_back(word);
  return words;
}

double seconds_for(const Tokenizer& tokenizer, std::int64_t max_length) {
  std::vector<std::string> texts;
  for_each_text([&](std::string text) { texts.push_back(std::move(text)); });
  std::size_t count = 0;  // is used, so that the compiler cannot remove a call
  const double begin = mpsbench::base::steady_seconds();
  for (const std::string& text : texts) count += tokenizer.encode(text, max_length).size();
  const double seconds = mpsbench::base::steady_seconds() - begin;
  return count > 0 ? seconds : 0;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"unicode"}) {
    std::cout << utf8proc_unicode_version() << '\n';
    return 0;
  }
  if (arguments == std::vector<std::string>{"words"}) {
    for_each_text([](const std::string& text) { std::cout << json(words_of(text)).dump() << '\n'; });
    return 0;
  }
  if (arguments.size() != 3) {
    std::cerr << "usage: tokenize_lines words | unicode | ids VOCABULARY MAX_LENGTH | seconds VOCABULARY MAX_LENGTH\n";
    return 2;
  }
  const Tokenizer tokenizer(mpsbench::text::read_vocabulary(arguments[1]));
  const std::int64_t max_length = std::stoll(arguments[2]);
  if (arguments[0] == "seconds") {
    std::cout << seconds_for(tokenizer, max_length) << '\n';
  } else {
    for_each_text(
        [&](const std::string& text) { std::cout << json(tokenizer.encode(text, max_length)).dump() << '\n'; });
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::ios::sync_with_stdio(false);
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "tokenize_lines: " << error.what() << '\n';
    return 2;
  }
}
