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
static_assert(is_whole<Dataset>());

// Where a step's batch is when the step begins.
enum class Input { device, host };

struct InputRow {
  Input value;
  std::string_view name;
  std::string_view help;
};

template <>
struct ClosedSet<Input> {
  static constexpr const char* kWhat = "input";
  static constexpr std::array kRows{
      InputRow{Input::device, "device", ""},
      InputRow{Input::host, "host", "copies it from pinned memory, if possible while the step before runs"}};
};
static_assert(is_whole<Input>());

// To what length a batch's texts are padded: to --max-length, or to the longest text of the batch.
enum class Pad { max, longest };

struct PadRow {
  Pad value;
  std::string_view name;
};

template <>
struct ClosedSet<Pad> {
  static constexpr const char* kWhat = "pad";
  static constexpr std::array kRows{PadRow{Pad::max, "max"}, PadRow{Pad::longest, "longest"}};
};
static_assert(is_whole<Pad>());

// What becomes of an epoch's last batch if the rows left are too few for a whole one. drop: training leaves
// them out, and inference adds rows of the next epoch. keep: the last batch is smaller.
enum class LastBatch { drop, keep };

struct LastBatchRow {
  LastBatch value;
  std::string_view name;
};

template <>
struct ClosedSet<LastBatch> {
  static constexpr const char* kWhat = "last batch";
  static constexpr std::array kRows{LastBatchRow{LastBatch::drop, "drop"}, LastBatchRow{LastBatch::keep, "keep"}};
};
static_assert(is_whole<LastBatch>());

// Whether training takes the rows of files in a random order, with the seed, or in the files' own.
enum class Shuffle { on, off };

struct ShuffleRow {
  Shuffle value;
  std::string_view name;
};

template <>
struct ClosedSet<Shuffle> {
  static constexpr const char* kWhat = "shuffle";
  static constexpr std::array kRows{ShuffleRow{Shuffle::on, "on"}, ShuffleRow{Shuffle::off, "off"}};
};
static_assert(is_whole<Shuffle>());

// When texts from files become numbers: once, when the files are opened, or for each batch, when it is made.
enum class Tokenize { once, batch };

struct TokenizeRow {
  Tokenize value;
  std::string_view name;
};

template <>
struct ClosedSet<Tokenize> {
  static constexpr const char* kWhat = "way to tokenize";
  static constexpr std::array kRows{TokenizeRow{Tokenize::once, "once"}, TokenizeRow{Tokenize::batch, "batch"}};
};
static_assert(is_whole<Tokenize>());

// Versions of Hugging Face's data set "trec". They number the labels in different orders.
enum class TrecLabels { v1_1_0, v2_0_0 };

inline constexpr TrecLabels kDefaultTrecLabels = TrecLabels::v1_1_0;

struct TrecLabelsRow {
  TrecLabels value;
  std::string_view name;
};

template <>
struct ClosedSet<TrecLabels> {
  static constexpr const char* kWhat = "version of trec's labels";
  static constexpr std::array kRows{TrecLabelsRow{TrecLabels::v1_1_0, "1.1.0"},
                                    TrecLabelsRow{TrecLabels::v2_0_0, "2.0.0"}};
};
static_assert(is_whole<TrecLabels>());

// The parts of a data set that comes in files. The training file has the rows for training and for
// validation; the test file has the rows for testing.
enum class DataPart { train, validation, test };

struct DataPartRow {
  DataPart value;
  std::string_view name;
};

template <>
struct ClosedSet<DataPart> {
  static constexpr const char* kWhat = "part";
  static constexpr std::array kRows{DataPartRow{DataPart::train, "train"},
                                    DataPartRow{DataPart::validation, "validation"},
                                    DataPartRow{DataPart::test, "test"}};
};
static_assert(is_whole<DataPart>());

struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const RowRange&) const = default;
};

// Returns the range of PART in its file, which has ROWS rows. The split is the one of the articles: the first
// floor(0.9 ROWS) rows of the training file are for training and the rest for validation. All rows of the
// test file are for testing.
[[nodiscard]] RowRange rows_of(DataPart part, std::int64_t rows);

// The shape of an image.

// The layout is channels x height x width: one plane after the other, each row by row.
struct ImageShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;

  [[nodiscard]] std::size_t plane_elements() const { return static_cast<std::size_t>(height * width); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(channels) * plane_elements(); }
  bool operator==(const ImageShape&) const = default;
};

}  // namespace mpsbench::schema
