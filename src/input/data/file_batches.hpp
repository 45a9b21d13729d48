// Batches of a data set in files, in the form that a network takes.
#pragma once

#include "input/data/batches.hpp"
#include "input/pipeline/order.hpp"
#include "input/text/tokenizer.hpp"
#include "schema/network_plan.hpp"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace mpsbench::data {

// Returns which rows of PART form each batch. ROWS is the number of rows in the file that contains PART.
[[nodiscard]] pipeline::BatchOrder order_for(std::int64_t rows, DataPart part, const DataOptions& options);

// Class labels in the form that the loss needs.
class Targets {
 public:
  Targets(const schema::NetworkPlan& plan, bool pinned)
      : one_hot_(plan.target_dtype != schema::DType::int64),
        classes_(one_hot_ ? plan.target_shape.back() : plan.target_high),
        pinned_(pinned) {}

  // Returns LABELS [rows] unchanged or, if the loss needs targets of the logits' shape, floats [rows,
  // classes] with 1 at the label.
  [[nodiscard]] at::Tensor of(const at::Tensor& labels) const {
    if (!one_hot_) return labels;
    const at::Tensor target = at::one_hot(labels, classes_).to(at::kFloat);
    return pinned_ ? target.pin_memory() : target;
  }

 private:
  bool one_hot_;
  std::int64_t classes_;
  bool pinned_;
};

// Batches of the images of a data set, prepared in advance by threads: resized, cropped and normalised to -1
// ... 1.
// Training images are cropped at a random place, others at the centre.
class ImageBatches final : public Batches {
 public:
  ImageBatches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part);
  ~ImageBatches() override;

  void begin_epoch() override;
  [[nodiscard]] std::optional<Batch> next() override;

 private:
  struct Loading;
  std::unique_ptr<Loading> loading_;
  Targets targets_;
  std::int64_t epoch_ = 0;
};

// Batches of the questions of a text data set in the form that BERT takes: ids, mask and types, padded to the
// network's length or to the longest of the batch.
class TextBatches final : public Batches {
 public:
  // Reads all texts of PART's file, and tokenises them unless OPTIONS leave that to next(). Texts that are
  // too long for the network are cut.
  TextBatches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part);

  void begin_epoch() override;
  [[nodiscard]] std::optional<Batch> next() override;

 private:
  void tokenize(std::span<const std::int64_t> rows);
  [[nodiscard]] std::int64_t length_of(std::span<const std::int64_t> rows) const;
  [[nodiscard]] Batch make(std::span<const std::int64_t> rows) const;

  std::vector<std::string> input_names_;
  std::int64_t length_;  // maximum
  bool pad_to_longest_;
  bool pinned_;
  Targets targets_;
  text::Tokenizer tokenizer_;
  std::vector<std::string> texts_;  // only if they are tokenised for each batch
  std::vector<std::vector<std::int32_t>> ids_;
  std::vector<std::int64_t> labels_;
  pipeline::BatchOrder order_;
  std::vector<std::int64_t> rows_;  // of the epoch, in order
  std::size_t taken_ = 0;
  std::int64_t epoch_ = 0;
};

}  // namespace mpsbench::data
