#include "suite/dataset_choice.hpp"

#include "dataset/image_fit.hpp"
#include "dataset/split_rows.hpp"
#include "dataset/trec.hpp"
#include "text/vocabulary.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace mpsbench::suite {
namespace {

namespace fs = std::filesystem;

DatasetChoice open_images(const std::string& name, const std::string& folder) {
  const dataset::ImageSet train = dataset::open_images(name, folder, dataset::Split::train);
  const dataset::ImageSet test = dataset::open_images(name, folder, dataset::Split::test);
  DatasetChoice choice;
  choice.name = name;
  choice.folder = folder;
  choice.shape = {train.channels(), train.height(), train.width()};
  choice.training_rows = dataset::training_rows(train.rows()).count;
  choice.test_rows = test.rows();
  return choice;
}

DatasetChoice open_texts(const std::string& folder, const std::string& vocabulary) {
  const auto rows = [&](dataset::Split split) {
    return static_cast<std::int64_t>(dataset::open_trec(folder, split).size());
  };
  DatasetChoice choice;
  choice.name = "trec";
  choice.folder = folder;
  choice.vocabulary = vocabulary;
  choice.vocabulary_size = text::read_vocabulary(vocabulary).size();
  choice.training_rows = dataset::training_rows(rows(dataset::Split::train)).count;
  choice.test_rows = rows(dataset::Split::test);
  return choice;
}

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

// Empty, or why CHOICE's images are nothing for PLAN.
std::string image_misfit(const DatasetChoice& choice, const schema::Plan& plan) {
  if (plan.inputs.size() != 1 || plan.inputs[0].dtype != "float32" || plan.inputs[0].shape.size() != 4)
    return "its rows are images, and the network takes something else";
  const schema::Shape& shape = plan.inputs[0].shape;
  try {
    (void)dataset::fit_images(choice.shape.value(), {shape[1], shape[2], shape[3]});
  } catch (const base::Error& mismatch) {
    return mismatch.what();
  }
  return "";
}

std::string text_misfit(const DatasetChoice& choice, const schema::Plan& plan) {
  const auto is_text_input = [](const schema::PlanInput& input) {
    const bool known =
        input.name == "input_ids" || input.name == "attention_mask" || input.name == "token_type_ids";
    return known && input.dtype == "int64" && input.shape.size() == 2;
  };
  if (!std::all_of(plan.inputs.begin(), plan.inputs.end(), is_text_input))
    return "its rows are texts, and the network takes something else";
  for (const schema::PlanInput& input : plan.inputs) {
    if (input.name == "input_ids" && choice.vocabulary_size > input.high) {
      return choice.vocabulary + " has " + std::to_string(choice.vocabulary_size) +
             " pieces, more than the network's " + std::to_string(input.high);
    }
  }
  return "";
}

}  // namespace

std::int64_t dataset_classes(const std::string& name) {
  return name == "trec" ? dataset::kTrecCoarseLabels : 10;
}

bool has_dataset(const Settings& settings) {
  const bool real = settings.text("dataset").value_or("synthetic") != "synthetic";
  if (real) {
    if (settings.has("rows"))
      throw settings.error("rows", "not beside --dataset, whose files say it; leave it out");
    if (settings.has("input"))
      throw settings.error("input", "the batches of a data set always come from the host; leave it out");
    const bool texts = settings.text("dataset") == "trec";
    const char* other = texts ? "workers" : "vocab";
    if (settings.has(other)) {
      throw settings.error(other, texts ? "texts are tokenised when they are opened; leave it out"
                                        : "images have no vocabulary; leave it out");
    }
  } else if (!settings.has("dataset")) {
    for (const char* option : {"data-dir", "vocab", "workers"}) {
      if (settings.has(option)) throw settings.error(option, "means something only beside --dataset NAME");
    }
  }
  return real;
}

const DatasetChoice& choose_dataset(const Settings& settings) {
  using Key = std::tuple<std::string, std::string, std::string>;  // name, folder, vocabulary
  static std::map<Key, DatasetChoice> opened;
  const std::string name = settings.text("dataset").value();
  const std::string folder = absolute(settings.text("data-dir").value_or("data"));
  const std::string words =
      name == "trec" ? absolute(settings.text("vocab").value_or(folder + "/vocab.txt")) : "";
  const Key key{name, folder, words};
  const auto found = opened.find(key);
  if (found != opened.end()) return found->second;
  return opened.emplace(key, name == "trec" ? open_texts(folder, words) : open_images(name, folder))
      .first->second;
}

void require_fit(const Settings& settings, const DatasetChoice& choice, const schema::Plan& plan,
                 schema::Mode mode) {
  if (const std::string why = choice.shape ? image_misfit(choice, plan) : text_misfit(choice, plan);
      !why.empty())
    throw settings.error("dataset", "'" + choice.name + "' is nothing for '" + plan.model + "': " + why);
  const std::int64_t batch_size = plan.inputs[0].shape[0];
  const std::int64_t rows = mode == schema::Mode::train ? choice.training_rows : choice.test_rows;
  if (batch_size > rows) {
    throw settings.error("batch-size", std::to_string(batch_size) + " rows are more than the " +
                                           std::to_string(rows) + " that '" + choice.name + "' has for this");
  }
  const std::int64_t outputs = plan.target_dtype == "int64" ? plan.target_high : plan.target_shape.back();
  if (const std::int64_t classes = dataset_classes(choice.name); outputs < classes) {
    throw settings.error("classes", "'" + choice.name + "' has " + std::to_string(classes) +
                                        " classes, more than the network's " + std::to_string(outputs));
  }
}

}  // namespace mpsbench::suite
