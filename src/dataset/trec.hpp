// TREC question classification (Li and Roth, 2002): a line a question, "COARSE:fine text".
#pragma once

#include "schema/data_part.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::dataset {

struct Question {
  std::int64_t coarse = 0;  // 0 to 5
  std::int64_t fine = 0;    // 0 to 46 (1.1.0, where like names of two coarse labels are one) or 49 (2.0.0)
  std::string text;         // UTF-8
};

// PART's file in FOLDER, train_5500.label or TREC_10.label, plain or gzipped. Throws Error(usage) that says
// how to get it.
[[nodiscard]] std::filesystem::path find_trec(const std::filesystem::path& folder, schema::DataPart part);

// PART's file, with any number of rows. The byte 0xF0, which the original has once, becomes a blank, as
// Hugging Face's loader does it. Throws Error(usage) that names file, line and cure.
[[nodiscard]] std::vector<Question> open_trec(const std::filesystem::path& folder, schema::DataPart part,
                                              schema::TrecLabels labels = schema::kDefaultTrecLabels);

}  // namespace mpsbench::dataset
