// Fuzzes the tokenizer. The part before the first NUL is the vocabulary, the rest are texts.
#include "fuzz/harness.hpp"
#include "input/text/tokenizer.hpp"
#include "input/text/vocabulary.hpp"

#include <algorithm>
#include <cstdlib>

using namespace mpsbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const text::Tokenizer kTokenizer(
      text::Vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n##re\na\n##b\n.\n\xE4\xB8\xAD\n", "own"));
  const std::string_view input = fuzz::text_of(data, size);
  const std::string_view words = input.substr(std::min(input.find('\0'), size));
  const auto ids = kTokenizer.encode(words, 64);
  if (ids.size() < 2 || ids.size() > 64) std::abort();
  fuzz::try_to([&] {
    const text::Tokenizer tokenizer(text::Vocabulary(input.substr(0, input.find('\0')), "a.txt"));
    for (const std::int32_t id : tokenizer.encode(words, 512)) {
      if (id < 0 || id >= tokenizer.vocabulary_size()) std::abort();
    }
  });
  return 0;
}
