// TREC question classification (Li and Roth, 2002): a line a question, "COARSE:fine text".
#pragma once

#include "dataset/image_set.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::dataset {

// How labels are numbered: by the order of these versions of Hugging Face's data set "trec".
enum class TrecLabels { v1_1_0, v2_0_0 };

struct Question {
  std::int64_t coarse = 0;  // 0 to 5
  std::int64_t fine = 0;    // 0 to 46 (1.1.0, where like names of two coarse labels are one) or 49 (2.0.0)
  std::string text;         // UTF-8
};

constexpr std::int64_t kTrecCoarseLabels = 6;

// "1.1.0" or "2.0.0".
[[nodiscard]] TrecLabels parse_trec_labels(std::string_view version);

// train_5500.label or TREC_10.label in FOLDER, plain or gzipped. Throws Error(usage) that says how to get it.
[[nodiscard]] std::filesystem::path find_trec(const std::filesystem::path& folder, Split split);

// The file of SPLIT, with any number of rows. The byte 0xF0,
// which the original has once, becomes a blank, as that data set's loader does it. Throws Error(usage) that
// names file, line and cure.
[[nodiscard]] std::vector<Question> open_trec(const std::filesystem::path& folder, Split split,
                                              TrecLabels labels = TrecLabels::v1_1_0);

}  // namespace mpsbench::dataset
