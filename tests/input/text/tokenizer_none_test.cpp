#include "input/text/tokenizer.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::text {
namespace {

TEST(TokenizerNone, NamesThePackageThatIsMissing) {
  const Vocabulary vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n", "vocab.txt");
  const std::string message = tests::usage_error_of([&] { const Tokenizer tokenizer(vocabulary); });
  EXPECT_TRUE(tests::contains(message, "install libutf8proc-dev")) << message;
}

}  // namespace
}  // namespace mpsbench::text
