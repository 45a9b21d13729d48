// Where the rows of a batch come from.
#pragma once

#include "schema/closed_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace mpsbench::schema {

// Where the rows of a batch come from.
enum class Dataset { synthetic, cifar10, mnist, trec };
enum class RowKind { drawn, images, texts };

struct DatasetRow {
  Dataset value;
  std::string_view name;
  RowKind rows;
  std::int64_t classes = 0;  // distinct labels; 0: as many as the network has classes
};

template <>
struct ClosedSet<Dataset> {
  static constexpr const char* kWhat = "data set";
  static constexpr std::array kRows{DatasetRow{Dataset::synthetic, "synthetic", RowKind::drawn},
                                    DatasetRow{Dataset::cifar10, "cifar10", RowKind::images, 10},
                                    DatasetRow{Dataset::mnist, "mnist", RowKind::images, 10},
                                    DatasetRow{Dataset::trec, "trec", RowKind::texts, 6}};
};

// Where a step's batch is when the step begins.
enum class Input { device, host };

template <>
struct ClosedSet<Input> {
  static constexpr const char* kWhat = "input";
  static constexpr std::array kRows{
      HelpRow{Input::device, "device", ""},
      HelpRow{Input::host, "host", "copies it from pinned memory, if possible while the step before runs"}};
};

// To what length a batch's texts are padded: to --max-length, or to the longest text of the batch.
enum class Pad { max, longest };

template <>
struct ClosedSet<Pad> : NameSet<Pad, "pad", "max", "longest"> {};

// What becomes of an epoch's last batch if the rows left are too few for a whole one. drop: training leaves
// them out, and inference adds rows of the next epoch. keep: the last batch is smaller.
enum class LastBatch { drop, keep };

template <>
struct ClosedSet<LastBatch> : NameSet<LastBatch, "last batch", "drop", "keep"> {};

// Whether training takes the rows of files in a random order, with the seed, or in the files' own.
enum class Shuffle { on, off };

template <>
struct ClosedSet<Shuffle> : NameSet<Shuffle, "shuffle", "on", "off"> {};

// When texts from files become numbers: once, when the files are opened, or for each batch, when it is made.
enum class Tokenize { once, batch };

template <>
struct ClosedSet<Tokenize> : NameSet<Tokenize, "way to tokenize", "once", "batch"> {};

// Versions of Hugging Face's data set "trec". They number the labels in different orders.
enum class TrecLabels { v1_1_0, v2_0_0 };

inline constexpr TrecLabels kDefaultTrecLabels = TrecLabels::v1_1_0;

template <>
struct ClosedSet<TrecLabels> : NameSet<TrecLabels, "version of trec's labels", "1.1.0", "2.0.0"> {};

// The parts of a data set that comes in files. The training file has the rows for training and for
// validation; the test file has the rows for testing.
enum class DataPart { train, validation, test };

template <>
struct ClosedSet<DataPart> : NameSet<DataPart, "part", "train", "validation", "test"> {};

struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const RowRange&) const = default;
};

// Returns the range of PART in its file, which has ROWS rows. The split is the one of the articles: the first
// floor(0.9 ROWS) rows of the training file are for training and the rest for validation. All rows of the
// test file are for testing.
[[nodiscard]] constexpr RowRange rows_of(DataPart part, std::int64_t rows) {
  if (part == DataPart::test) return {0, rows};
  const std::int64_t trained = rows - (rows + 9) / 10;
  return part == DataPart::train ? RowRange{0, trained} : RowRange{trained, rows - trained};
}

// The layout of an image is channels x height x width: one plane after the other, each row by row.
struct ImageShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;

  [[nodiscard]] std::size_t plane_elements() const { return static_cast<std::size_t>(height * width); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(channels) * plane_elements(); }
  bool operator==(const ImageShape&) const = default;
};

}  // namespace mpsbench::schema
