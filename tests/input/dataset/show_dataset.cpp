// Prints what src/input/dataset reads, for tests in Python. Usage: show_dataset cifar10|mnist|trec train|test
// FOLDER [2.0.0]
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "input/dataset/catalog.hpp"
#include "input/dataset/image_files.hpp"
#include "input/dataset/trec.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace mpsbench;
using nlohmann::ordered_json;

ordered_json images(const dataset::ImageSet& set) {
  std::string pixels;
  std::vector<std::int64_t> labels;
  for (std::int64_t row = 0; row < set.rows(); ++row) {
    const auto image = set.image(row);
    pixels.append(image.begin(), image.end());
    labels.push_back(set.label(row));
  }
  return {{"shape", {set.rows(), set.shape().channels, set.shape().height, set.shape().width}},
          {"labels", labels},
          {"pixels_sha256", base::sha256_hex(pixels)}};
}

ordered_json questions(const std::vector<dataset::Question>& all) {
  ordered_json rows = ordered_json::array();
  for (const dataset::Question& one : all) rows.push_back({one.coarse, one.text});
  return rows;
}

ordered_json catalog() {
  ordered_json all;
  for (const dataset::DatasetInfo& one : dataset::datasets()) {
    for (const dataset::PublishedFile& file : one.files) {
      all[to_string(one.dataset)].push_back({file.name, file.bytes, file.sha256});
    }
  }
  return all;
}

ordered_json show(const std::vector<std::string>& arguments) {
  if (arguments.at(0) == "catalog") return catalog();
  const auto part = schema::parse_name<schema::DataPart>(arguments.at(1)).value();
  const std::string& folder = arguments.at(2);
  if (arguments[0] == "cifar10") return images(dataset::open_cifar10(folder, part));
  if (arguments[0] == "mnist") return images(dataset::open_mnist(folder, part));
  const auto labels =
      arguments.size() > 3 ? schema::parse_name<schema::TrecLabels>(arguments[3]).value() : schema::kDefaultTrecLabels;
  return questions(dataset::open_trec(folder, part, labels));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    std::puts(base::to_text(show({arguments + 1, arguments + count})).c_str());
  } catch (const base::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(base::exit_code(error.kind()));
  }
}
