#include "data/text_batches.hpp"

#include "data/order.hpp"
#include "dataset/trec.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

namespace mpsbench::data {

TextBatches::TextBatches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part)
    : length_(plan.inputs.at(0).shape.at(1)),
      pad_to_longest_(options.pad_to_longest),
      pinned_(options.pinned),
      targets_(plan, options.pinned),
      tokenizer_(text::read_vocabulary(options.vocabulary)) {
  for (const schema::NetworkInput& input : plan.inputs) input_names_.push_back(input.name);
  const bool once = options.tokenize == schema::Tokenize::once;
  auto questions = dataset::open_trec(options.folder, part, options.trec_labels);
  for (dataset::Question& question : questions) {
    ids_.push_back(once ? tokenizer_.encode(question.text, length_) : std::vector<std::int32_t>{});
    if (!once) texts_.push_back(std::move(question.text));
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
  if (!texts_.empty()) tokenize(rows);
  return make(rows);
}

void TextBatches::tokenize(std::span<const std::int64_t> rows) {
  for (const std::int64_t row : rows) {
    const auto at = static_cast<std::size_t>(row);
    ids_[at] = tokenizer_.encode(texts_[at], length_);
  }
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
    std::fill(std::copy(pieces.begin(), pieces.end(), id), id + length, tokenizer_.padding_id());
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
