// Batches of the questions of a text data set in the form that BERT takes: ids, mask and types, padded to the
// network's length or to the longest of the batch.
#pragma once

#include "data/batches.hpp"
#include "data/targets.hpp"
#include "pipeline/order.hpp"
#include "text/tokenizer.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::data {

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
