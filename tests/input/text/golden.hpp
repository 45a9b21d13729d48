// The output of the fast (Rust) tokenizer for some texts with bert-base-uncased's vocabulary: the pieces and
// their ids. The pieces do not depend on the rest of that vocabulary, so a small vocabulary tests the same
// rules.
#pragma once

#include "input/text/vocabulary.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::text {

struct Golden {
  std::string text;
  std::string pieces;  // separated by blanks, without [CLS] and [SEP]
  std::vector<std::int32_t> ids;
};

inline std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

inline std::vector<Golden> golden_texts() {
  std::vector<std::int32_t> hundred_x(50, 20348);
  hundred_x[0] = 22038;
  using namespace std::string_literals;
  return {
      {"How did serfdom develop in and then leave Russia ?",
       "how did ser ##f ##dom develop in and then leave russia ?",
       {2129, 2106, 14262, 2546, 9527, 4503, 1999, 1998, 2059, 2681, 3607, 1029}},
      {"What does SOS mean?", "what does so ##s mean ?", {2054, 2515, 2061, 2015, 2812, 1029}},
      {"unaffable", "una ##ffa ##ble", {14477, 20961, 3468}},
      {"Café naïve RÉSUMÉ", "cafe naive resume", {7668, 15743, 13746}},
      {"e\u0301cole", "ecole", {12431}},
      {"don't stop-believing", "don ' t stop - believing", {2123, 1005, 1056, 2644, 1011, 8929}},
      {"$1,000.50 (50%)", "$ 1 , 000 . 50 ( 50 % )", {1002, 1015, 1010, 2199, 1012, 2753, 1006, 2753, 1003, 1007}},
      {"a\tb\nc  d", "a b c d", {1037, 1038, 1039, 1040}},
      {"C++ & Rust", "c + + & rust", {1039, 1009, 1009, 1004, 18399}},
      {"你好 world", "[UNK] [UNK] world", {100, 100, 2088}},
      {"日本語テスト", "日 本 語 テ ##ス ##ト", {1864, 1876, 1950, 1713, 30233, 30240}},
      {"hello\u200bworld", "hello ##world", {7592, 11108}},
      {"\ufb01ne", "\ufb01 ##ne", {1984, 2638}},
      {"İstanbul", "istanbul", {9960}},
      {"résumé—test…ok", "resume — test … ok", {13746, 1517, 3231, 1529, 7929}},
      {"½ ² ①", "½ ² [UNK]", {1092, 1082, 100}},
      {"\U0001F600 smile", "[UNK] smile", {100, 2868}},
      {"\uFFFD\0bad"s, "bad", {2919}},
      {"[MASK] token", "[MASK] token", {103, 19204}},
      {repeated("x", 100), "xx" + repeated(" ##xx", 49), hundred_x},
      {repeated("x", 101), "[UNK]", {100}},
      {"", "", {}},
  };
}

// Contains the pieces of the golden texts, shorter pieces that greedy matching must skip, and pieces that no
// normalised word can match.
inline const std::string kSmallVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
    "how\ndid\nser\n##f\n##dom\ndevelop\nin\nand\nthen\nleave\nrussia\nwhat\ndoes\nso\n##s\nmean\nuna\n##"
    "ffa\n##ble\n"
    "cafe\nnaive\nresume\necole\ndon\nt\nstop\nbelieving\n1\n000\n50\na\nb\nc\nd\nrust\nworld\nhello\n##"
    "world\n"
    "日\n本\n語\nテ\n##ス\n##ト\n\ufb01\n##ne\nistanbul\ntest\nok\n½\n²\nsmile\nbad\ntoken\nxx\n##xx\n"
    "?\n'\n-\n$\n,\n.\n(\n)\n%\n+\n&\n—\n…\n[\n]\n"
    "u\nun\n##a\n##aff\n##able\ns\nse\n##d\n##do\n##m\nx\n##x\nfi\ni\n##stanbul\nmask\n"
    "Café\nHow\n[mask]\nhello world\n";

}  // namespace mpsbench::text
