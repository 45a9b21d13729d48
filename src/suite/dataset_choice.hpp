// What --dataset and --data-dir name, looked at before anything runs.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/image_shape.hpp"
#include "schema/network_plan.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::suite {

struct DatasetChoice {
  schema::Dataset dataset = schema::Dataset::synthetic;
  std::string folder;                       // absolute
  std::optional<schema::ImageShape> shape;  // of images; none: texts
  std::string vocabulary;                   // of texts: absolute
  std::int64_t vocabulary_size = 0;
  std::int64_t training_rows = 0;  // without those for validation
  std::int64_t test_rows = 0;
  std::string training_file;  // as messages name it
  std::string test_file;
  std::map<std::string, std::string> files;  // SHA-256 by name, of the vocabulary too
};

// Whether SETTINGS name files rather than synthetic rows. Throws Error(usage) for options that ask for both.
[[nodiscard]] bool has_dataset(const Settings& settings);

// Opens and checks the files, once a folder; warns of a vocabulary that is not the texts'. VOCABULARY is of
// texts, by default vocab.txt in FOLDER. Throws Error(usage) that names the file.
[[nodiscard]] const DatasetChoice& open_dataset(schema::Dataset dataset, const std::string& folder,
                                                const std::optional<std::string>& vocabulary = std::nullopt);
// Those that SETTINGS name.
[[nodiscard]] const DatasetChoice& choose_dataset(const Settings& settings);

// Rows that a case of MODE goes over: training rows or, in inference, those of DatasetInfo::inference; the
// first --rows of them. Throws Error(usage) where there are fewer.
[[nodiscard]] std::int64_t dataset_rows(const Settings& settings, const DatasetChoice& choice,
                                        schema::Mode mode);

// Throws Error(usage) when ROWS rows of the data set are nothing for the network of PLAN.
void require_fit(const Settings& settings, const DatasetChoice& choice, const schema::NetworkPlan& plan,
                 std::int64_t rows);

}  // namespace mpsbench::suite
