#include "suite/dataset_choice.hpp"

#include "base/log.hpp"
#include "input/dataset/catalog.hpp"
#include "input/dataset/data_file.hpp"
#include "input/dataset/image_files.hpp"
#include "input/dataset/trec.hpp"
#include "input/text/tokenizer.hpp"
#include "suite/option.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <vector>

namespace mpsbench::suite {

namespace {

namespace fs = std::filesystem;
using schema::DataPart;

void add_file(DatasetChoice& choice, const fs::path& file) {
  const auto [place, is_new] = choice.files.try_emplace(file.filename().string());
  if (is_new) place->second = dataset::file_sha256(file);
}

DatasetChoice open_images(schema::Dataset images, const std::string& folder) {
  const dataset::ImageSet train = dataset::open_images(images, folder, DataPart::train);
  const dataset::ImageSet test = dataset::open_images(images, folder, DataPart::test);
  DatasetChoice choice;
  choice.dataset = images;
  choice.folder = folder;
  choice.shape = train.shape();
  choice.training_rows = rows_of(DataPart::train, train.rows()).count;
  choice.test_rows = test.rows();
  choice.training_file = train.files().front().string();
  choice.test_file = test.files().front().string();
  for (const fs::path& file : train.files()) add_file(choice, file);
  for (const fs::path& file : test.files()) add_file(choice, file);
  return choice;
}

// Warns if the vocabulary lacks many words of the texts, for example because it is for another language.
void expect_known_words(const text::Tokenizer& tokenizer, const std::vector<dataset::Question>& questions,
                        const std::string& vocabulary) {
  constexpr double kMostUnknown = 0.2;
  constexpr std::int64_t kWhole = 512;  // the most tokens to encode; no question has so many
  double tokens = 0;
  double unknown = 0;
  for (const dataset::Question& question : questions) {
    const std::vector<std::int32_t> ids = tokenizer.encode(question.text, kWhole);
    tokens += static_cast<double>(ids.size() - 2);  // without [CLS] and [SEP]
    unknown += static_cast<double>(std::count(ids.begin(), ids.end(), tokenizer.unknown_id()));
  }
  if (unknown <= kMostUnknown * tokens) return;
  base::log::warn(vocabulary + ": " + std::to_string(std::llround(100 * unknown / tokens)) +
                  " % of the texts' tokens are not in this vocabulary ([UNK]); is it for another language? "
                  "'scripts/fetch_data vocab' downloads BERT's vocabulary");
}

DatasetChoice open_texts(const std::string& folder, const std::string& vocabulary) {
  const std::vector<dataset::Question> train = dataset::open_trec(folder, DataPart::train);
  const std::vector<dataset::Question> test = dataset::open_trec(folder, DataPart::test);
  if (std::error_code ignored; !fs::exists(vocabulary, ignored)) {
    throw base::usage_error(vocabulary +
                            ": no such file; name a BERT vocabulary with --vocab, or download one with "
                            "'scripts/fetch_data vocab --data-dir " +
                            folder + "'");
  }
  const text::Tokenizer tokenizer(text::read_vocabulary(vocabulary));
  expect_known_words(tokenizer, train, vocabulary);
  DatasetChoice choice;
  choice.dataset = schema::Dataset::trec;
  choice.folder = folder;
  choice.vocabulary = vocabulary;
  choice.vocabulary_size = tokenizer.vocabulary_size();
  choice.training_rows = rows_of(DataPart::train, std::ssize(train)).count;
  choice.test_rows = std::ssize(test);
  choice.training_file = dataset::find_trec(folder, DataPart::train).string();
  choice.test_file = dataset::find_trec(folder, DataPart::test).string();
  for (const std::string& file : {choice.training_file, choice.test_file, vocabulary}) add_file(choice, file);
  return choice;
}

std::string absolute(const std::string& path) {
  if (path.empty()) throw base::usage_error("the path of a data set's files must not be empty");
  return fs::absolute(path).lexically_normal().string();
}

// Says why PLAN cannot take CHOICE's images. Returns an empty text if it can.
std::string image_misfit(const DatasetChoice& choice, const schema::NetworkPlan& plan) {
  if (plan.inputs.size() != 1 || plan.inputs[0].dtype != schema::DType::float32 || plan.inputs[0].shape.size() != 4)
    return "its rows are images, but the network takes other inputs";
  const schema::Shape& shape = plan.inputs[0].shape;
  try {
    (void)dataset::fit_images(choice.shape.value(), {shape[1], shape[2], shape[3]});
  } catch (const base::Error& mismatch) {
    return mismatch.what();
  }
  return "";
}

std::string text_misfit(const DatasetChoice& choice, const schema::NetworkPlan& plan) {
  const auto is_text_input = [](const schema::NetworkInput& input) {
    const bool known = input.name == "input_ids" || input.name == "attention_mask" || input.name == "token_type_ids";
    return known && input.dtype == schema::DType::int64 && input.shape.size() == 2;
  };
  if (!std::all_of(plan.inputs.begin(), plan.inputs.end(), is_text_input))
    return "its rows are texts, but the network takes other inputs";
  for (const schema::NetworkInput& input : plan.inputs) {
    if (input.name == "input_ids" && choice.vocabulary_size > input.high) {
      return choice.vocabulary + " has " + std::to_string(choice.vocabulary_size) +
             " pieces, more than the network can take: " + std::to_string(input.high);
    }
  }
  return "";
}

// True if DEVICES names only the CPU, on which the pipeline runs, or auto, which may mean the CPU.
bool names_the_cpu(const std::vector<DeviceChoice>& devices) {
  const DeviceChoice cpu{DeviceChoice::Kind::one, "cpu"};
  return std::all_of(devices.begin(), devices.end(), [&](const DeviceChoice& choice) {
    return choice.kind == DeviceChoice::Kind::automatic || choice == cpu;
  });
}

// Whether an option with TRAITS has an effect on cases of MODE.
bool has_effect(const OptionTraits& traits, schema::Mode mode) {
  const schema::ModeRow& row = row_of(mode);
  if (traits.is_of_networks && !row.has_network) return false;
  return row.generates ? !traits.is_of_rows && !traits.is_of_files : !traits.is_of_generation;
}

}  // namespace

bool has_dataset(const Settings& settings) {
  const schema::Dataset chosen = settings.dataset.value_or(schema::Dataset::synthetic);
  if (chosen == schema::Dataset::synthetic) {
    if (!settings.dataset.has()) {
      refuse_options(settings, &OptionTraits::is_of_files,
                     "has no effect without --dataset NAME; add that, or leave this out");
    }
    // In a suite, pad is for those cases that have a data set.
    if (settings.pad.optional() == schema::Pad::longest && settings.pad.is_on_command_line()) {
      throw settings.pad.error(
          "synthetic rows all have the same length, --max-length; use --pad max or --dataset trec");
    }
    if (settings.last_batch.optional() == schema::LastBatch::keep && settings.last_batch.is_on_command_line())
      throw settings.last_batch.error("synthetic batches are always full; use drop or another --dataset");
    if (settings.shuffle.is_on_command_line())
      throw settings.shuffle.error("synthetic rows have no order; leave it out or use another --dataset");
    return false;
  }
  if (settings.input.has())
    throw settings.input.error("has no effect with --dataset, whose batches always come from the host; leave it out");
  if (row_of(chosen).rows == schema::RowKind::texts) {
    refuse_options(settings, &OptionTraits::is_of_images,
                   "has no effect on texts, which are tokenised without threads; leave it out");
  } else {
    refuse_options(settings, &OptionTraits::is_of_texts,
                   "is for texts, but the rows of '" + to_string(chosen) + "' are images; leave it out");
  }
  return true;
}

const DatasetChoice& open_dataset(schema::Dataset dataset, const std::string& folder,
                                  const std::optional<std::string>& vocabulary) {
  using Key = std::tuple<schema::Dataset, std::string, std::string>;  // with the folder and the vocabulary
  static std::map<Key, DatasetChoice> opened;
  const bool texts = row_of(dataset).rows == schema::RowKind::texts;
  const std::string place = absolute(folder);
  const std::string words = texts ? absolute(vocabulary.value_or(place + "/vocab.txt")) : "";
  const Key key{dataset, place, words};
  const auto found = opened.find(key);
  if (found != opened.end()) return found->second;
  return opened.emplace(key, texts ? open_texts(place, words) : open_images(dataset, place)).first->second;
}

const DatasetChoice& choose_dataset(const Settings& settings) {
  return open_dataset(settings.dataset.value(), settings.data_dir.value_or("data"), settings.vocab.optional());
}

std::int64_t dataset_rows(const Settings& settings, const DatasetChoice& choice, schema::Mode mode) {
  const bool test = row_of(mode).reads_all && dataset::info_of(choice.dataset).inference == DataPart::test;
  const std::int64_t all = test ? choice.test_rows : choice.training_rows;
  const std::int64_t rows = settings.rows.value_or(all);
  if (rows > all) {
    throw settings.rows.error(
        std::to_string(rows) + " is more than the " + std::to_string(all) +
        (test ? " test rows of " + choice.test_file : " training rows (nine tenths) of " + choice.training_file) +
        "; lower it");
  }
  return rows;
}

void require_fit(const Settings& settings, const DatasetChoice& choice, const schema::NetworkPlan& plan,
                 const schema::CaseSpec& spec) {
  if (const std::string why = choice.shape ? image_misfit(choice, plan) : text_misfit(choice, plan); !why.empty())
    throw settings.dataset.error("'" + to_string(choice.dataset) + "' does not suit '" + plan.model + "': " + why);
  if (plan.target_dtype == schema::DType::int64 && plan.target_shape.size() != 1)
    throw settings.dataset.error("'" + to_string(choice.dataset) + "' does not suit '" + plan.model +
                                 "': its rows have one class each, but the loss " + plan.loss +
                                 " needs one for each position");
  if (const std::int64_t step = schema::rows_per_step(spec); step > spec.rows) {
    throw settings.batch_sizes.error(
        std::to_string(step) + " rows" + (spec.ranks > 1 ? " of " + std::to_string(spec.ranks) + " processes" : "") +
        " are more than the " + std::to_string(spec.rows) + " that '" + to_string(choice.dataset) +
        "' provides here (at most --rows); lower --batch-size");
  }
  const std::int64_t outputs = plan.target_dtype == schema::DType::int64 ? plan.target_high : plan.target_shape.back();
  if (const std::int64_t classes = row_of(choice.dataset).classes; outputs < classes) {
    throw settings.classes.error("'" + to_string(choice.dataset) + "' has " + std::to_string(classes) +
                                 " classes, but the network has only " + std::to_string(outputs) + " outputs");
  }
}

Settings heeded(const Settings& settings, schema::Mode mode) {
  Settings left = settings;
  for (const Option& option : options()) {
    if (!has_effect(option.traits, mode)) option.clear(left);
  }
  return left;
}

void check_modes(const Settings& settings, const std::vector<schema::Mode>& modes) {
  const bool prepares_data = std::ranges::any_of(modes, [](schema::Mode mode) { return !row_of(mode).has_network; });
  if (prepares_data && !has_dataset(settings)) {
    throw settings.modes.error(
        "data times how the files of a data set become batches, but synthetic rows are not loaded from files; add "
        "--dataset NAME, or leave out data");
  }
  Settings asked = settings;
  if (names_the_cpu(asked.devices.value_or({}))) asked.devices.clear();
  for (const Option& option : options()) {
    const AnySetting& setting = option.in(asked);
    if (!setting.is_on_command_line() ||
        std::ranges::any_of(modes, [&](schema::Mode mode) { return has_effect(option.traits, mode); }))
      continue;
    if (option.traits.is_of_generation) throw setting.error("has an effect only with --mode generate");
    throw setting.error("has no effect with --mode " + to_string(modes.front()) +
                        (row_of(modes.front()).generates ? ", which continues synthetic prompts; leave it out"
                                                         : ", which runs no network; leave it out"));
  }
}

}  // namespace mpsbench::suite
