#include "base/error.hpp"
#include "input/text/tokenizer.hpp"

#include <utility>

namespace mpsbench::text {

Tokenizer::Tokenizer(Vocabulary vocabulary)
    : vocabulary_(std::move(vocabulary)), padding_id_(), unknown_id_(), begin_id_(), end_id_() {
  throw base::usage_error(
      "this mpsbench was built without utf8proc, which its tokenizer needs; install libutf8proc-dev "
      "(Homebrew: utf8proc) and build mpsbench again");
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view /*text*/, std::int64_t /*max_length*/) const {
  return {};  // never called, because no tokenizer can be constructed
}

}  // namespace mpsbench::text
