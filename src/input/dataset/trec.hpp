// TREC question classification (Li and Roth, 2002): one question per line, as "COARSE:fine text".
#pragma once

#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::dataset {

struct Question {
  std::int64_t coarse = 0;  // 0 to 5
  std::string text;         // UTF-8
};

// Returns the path of PART's file in FOLDER: train_5500.label or TREC_10.label. Throws Error(usage)
// that says how to get it.
[[nodiscard]] std::filesystem::path find_trec(const std::filesystem::path& folder, schema::DataPart part);

// Reads PART's file, which may have any number of rows. The byte 0xF0, which the original contains once,
// becomes a blank, as in Hugging Face's loader. Throws Error(usage), which names the file and the line and
// says what to do.
[[nodiscard]] std::vector<Question> open_trec(const std::filesystem::path& folder, schema::DataPart part,
                                              schema::TrecLabels labels = schema::kDefaultTrecLabels);

}  // namespace mpsbench::dataset
