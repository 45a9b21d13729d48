#include "data/text_batches.hpp"

#include "data/order.hpp"
#include "dataset/trec.hpp"
#include "text/tokenizer.hpp"

#include <ATen/ATen.h>

#include <algorithm>

namespace mpsbench::data {

TextBatches::TextBatches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part)
    : length_(plan.inputs.at(0).shape.at(1)),
      pad_to_longest_(options.pad_to_longest),
      pinned_(options.pinned),
      targets_(plan, options.pinned) {
  for (const schema::NetworkInput& input : plan.inputs) input_names_.push_back(input.name);
  const text::Tokenizer tokenizer(text::read_vocabulary(options.vocabulary));
  padding_id_ = tokenizer.padding_id();
  const auto questions = dataset::open_trec(options.folder, part, options.trec_labels);
  for (const dataset::Question& question : questions) {
    ids_.push_back(tokenizer.encode(question.text, length_));
    labels_.push_back(question.coarse);
  }
  order_ = order_for(static_cast<std::int64_t>(ids_.size()), part, options);
}

void TextBatches::begin_epoch() {
  rows_ = pipeline::epoch_rows(order_, epoch_++);
  taken_ = 0;
}

std::optional<Batch> TextBatches::next() {
  const std::size_t count = std::min(static_cast<std::size_t>(order_.batch_size), rows_.size() - taken_);
  if (count == 0) return std::nullopt;
  const std::span<const std::int64_t> rows{rows_.data() + taken_, count};
  taken_ += count;
  return make(rows);
}

std::int64_t TextBatches::length_of(std::span<const std::int64_t> rows) const {
  if (!pad_to_longest_) return length_;
  std::size_t longest = 0;
  for (const std::int64_t row : rows) longest = std::max(longest, ids_[static_cast<std::size_t>(row)].size());
  return static_cast<std::int64_t>(longest);
}

Batch TextBatches::make(std::span<const std::int64_t> rows) const {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t length = length_of(rows);
  const auto options = at::TensorOptions().dtype(at::kLong).pinned_memory(pinned_);
  const at::Tensor ids = at::empty({count, length}, options);
  const at::Tensor mask = at::empty({count, length}, options);
  const at::Tensor target = at::empty({count}, options);
  auto* id = ids.mutable_data_ptr<std::int64_t>();
  auto* real = mask.mutable_data_ptr<std::int64_t>();
  auto* label = target.mutable_data_ptr<std::int64_t>();
  for (const std::int64_t row : rows) {
    const std::vector<std::int32_t>& pieces = ids_[static_cast<std::size_t>(row)];
    const auto used = static_cast<std::ptrdiff_t>(pieces.size());
    std::fill(std::copy(pieces.begin(), pieces.end(), id), id + length, padding_id_);
    std::fill(std::fill_n(real, used, 1), real + length, 0);
    id += length;
    real += length;
    *label++ = labels_[static_cast<std::size_t>(row)];
  }
  Batch batch;
  for (const std::string& name : input_names_)
    batch.inputs.push_back(name == "input_ids"        ? ids
                           : name == "attention_mask" ? mask
                                                      : at::zeros({count, length}, options));
  batch.target = targets_.of(target);
  return batch;
}

}  // namespace mpsbench::data
