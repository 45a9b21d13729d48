#include "input/dataset/catalog.hpp"

#include "base/error.hpp"

#include <array>

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using schema::Dataset;

constexpr std::array kCifar10{PublishedFile{"cifar-10-binary.tar.gz", 170'052'171,
                                            "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}};
constexpr std::array kMnist{PublishedFile{"train-images-idx3-ubyte.gz", 9'912'422,
                                          "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
                            PublishedFile{"train-labels-idx1-ubyte.gz", 28'881,
                                          "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
                            PublishedFile{"t10k-images-idx3-ubyte.gz", 1'648'877,
                                          "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
                            PublishedFile{"t10k-labels-idx1-ubyte.gz", 4'542,
                                          "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}};
constexpr std::array kTrec{
    PublishedFile{"train_5500.label", 335'858, "9e4c8bdcaffb96ed61041bd64b564183d52793a8e91d84fc3a8646885f466ec3"},
    PublishedFile{"TREC_10.label", 23'354, "033f22c028c2bbba9ca682f68ffe204dc1aa6e1cf35dd6207f2d4ca67f0d0e8e"}};

constexpr std::array kDatasets{
    DatasetInfo{Dataset::cifar10, 50'000, 10'000, DataPart::test, "photographs of 10 kinds of things, 3x32x32",
                kCifar10},
    DatasetInfo{Dataset::mnist, 60'000, 10'000, DataPart::test, "handwritten digits, 1x28x28", kMnist},
    // Inference uses the training rows, because the notebook took its first training rows, and because the
    // test file has fewer rows than the notebook's largest batch.
    DatasetInfo{Dataset::trec, 5'452, 500, DataPart::train, "questions of 6 kinds, English text", kTrec}};

constexpr bool has_each_of_files() {
  std::size_t entries = 0;
  for (const schema::DatasetRow& row : schema::ClosedSet<Dataset>::kRows) {
    if (row.rows == schema::RowKind::drawn) continue;
    if (entries == kDatasets.size() || kDatasets.at(entries).dataset != row.value) return false;
    ++entries;
  }
  return entries == kDatasets.size();
}
static_assert(has_each_of_files(), "each data set of files has one entry, in the order of the enum");

}  // namespace

std::span<const DatasetInfo> datasets() {
  return kDatasets;
}

const DatasetInfo& info_of(Dataset dataset) {
  for (const DatasetInfo& one : kDatasets) {
    if (one.dataset == dataset) return one;
  }
  throw base::Error(base::ErrorKind::internal, "there are no files of the data set " + to_string(dataset));
}

const PublishedFile* published_file(std::string_view name) {
  for (const DatasetInfo& one : kDatasets) {
    for (const PublishedFile& file : one.files) {
      if (file.name == name) return &file;
    }
  }
  return nullptr;
}

}  // namespace mpsbench::dataset
