// Opens and checks the files of --dataset and --data-dir before anything runs.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/data_source.hpp"
#include "schema/network_plan.hpp"
#include "suite/settings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::suite {

struct DatasetChoice {
  schema::Dataset dataset = schema::Dataset::synthetic;
  std::string folder;                       // an absolute path
  std::optional<schema::ImageShape> shape;  // the images' shape; nullopt for texts
  std::string vocabulary;                   // for texts: an absolute path
  std::int64_t vocabulary_size = 0;
  std::int64_t training_rows = 0;  // without the rows that are kept for validation
  std::int64_t test_rows = 0;
  std::string training_file;  // the name that messages use
  std::string test_file;
  std::map<std::string, std::string> files;  // SHA-256 by file name, including the vocabulary
};

// Returns true if SETTINGS name files, false for synthetic rows. Throws Error(usage) if options for both are set.
[[nodiscard]] bool has_dataset(const Settings& settings);

// Opens and checks the files, once for each folder. Warns if the vocabulary does not suit the texts. VOCABULARY is for
// texts only; by default it is vocab.txt in FOLDER. Throws Error(usage) that names the file.
[[nodiscard]] const DatasetChoice& open_dataset(schema::Dataset dataset, const std::string& folder,
                                                const std::optional<std::string>& vocabulary = std::nullopt);
// Opens the files that SETTINGS name, as open_dataset does.
[[nodiscard]] const DatasetChoice& choose_dataset(const Settings& settings);

// Returns the number of rows that a case of MODE goes through: the training rows or, in inference, the rows of
// DatasetInfo::inference, in either case at most the first --rows. Throws Error(usage) if there are fewer than --rows.
[[nodiscard]] std::int64_t dataset_rows(const Settings& settings, const DatasetChoice& choice, schema::Mode mode);

// Throws Error(usage) if the network of PLAN cannot take the rows of the data set that SPEC has.
void require_fit(const Settings& settings, const DatasetChoice& choice, const schema::NetworkPlan& plan,
                 const schema::CaseSpec& spec);

// Returns the SETTINGS that have an effect on a case of MODE.
[[nodiscard]] Settings heeded(const Settings& settings, schema::Mode mode);

// Throws Error(usage) if mode data is asked for without the files of a data set, or if the command line has an option
// that all MODES ignore. In a suite, such an option is for other cases.
void check_modes(const Settings& settings, const std::vector<schema::Mode>& modes);

}  // namespace mpsbench::suite
