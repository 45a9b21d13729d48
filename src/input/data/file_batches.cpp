#include "input/data/file_batches.hpp"

#include "input/dataset/image_files.hpp"
#include "input/dataset/trec.hpp"
#include "input/pipeline/loader.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::data {

namespace {

class ImageFiles final : public pipeline::ImageSource {
 public:
  ImageFiles(dataset::ImageSet images, std::string name) : images_(std::move(images)), name_(std::move(name)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::int64_t rows() const override { return images_.rows(); }
  [[nodiscard]] schema::ImageShape shape() const override { return images_.shape(); }
  [[nodiscard]] std::span<const std::uint8_t> image(std::int64_t row) const override { return images_.image(row); }
  [[nodiscard]] std::int64_t label(std::int64_t row) const override { return images_.label(row); }

 private:
  dataset::ImageSet images_;
  std::string name_;
};

// As in the articles, pixels are scaled to -1 ... 1.
pipeline::ImageTransform transform_for(const schema::ImageShape& have, const schema::NetworkPlan& plan, DataPart part) {
  const schema::Shape& shape = plan.inputs.at(0).shape;
  const dataset::ImageFit fit = dataset::fit_images(have, {shape.at(1), shape.at(2), shape.at(3)});
  return {.resize_to = fit.resize_to,
          .crop_to = fit.crop_to,
          .random_crop = part == DataPart::train,
          .mean = 0.5F,
          .stddev = 0.5F};
}

std::shared_ptr<void> allocate_pinned(std::size_t bytes) {
  const at::Tensor memory =
      at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
  return {memory.data_ptr(), [memory](void*) {}};
}

}  // namespace

pipeline::BatchOrder order_for(std::int64_t rows, DataPart part, const DataOptions& options) {
  pipeline::BatchOrder order{.rows = schema::rows_of(part, rows),
                             .batch_size = options.batch_size,
                             .drop_last = options.drop_last.value_or(part == DataPart::train),
                             .shuffle = part == DataPart::train && !options.in_order,
                             .seed = static_cast<std::uint64_t>(options.seed),
                             .rank = options.share.number,
                             .ranks = options.share.count};
  if (options.rows) order.rows.count = std::min(order.rows.count, *options.rows);
  return order;
}

struct ImageBatches::Loading {
  Loading(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part)
      : files(dataset::open_images(options.dataset, options.folder, part), options.folder),
        loader(files, transform_for(files.shape(), plan, part), order_for(files.rows(), part, options),
               {.workers = static_cast<int>(options.workers),
                .allocate = options.pinned ? allocate_pinned : pipeline::allocate_on_heap}) {}

  ImageFiles files;
  pipeline::BatchLoader loader;
};

ImageBatches::ImageBatches(const DataOptions& options, const schema::NetworkPlan& plan, DataPart part)
    : loading_(std::make_unique<Loading>(options, plan, part)), targets_(plan, options.pinned) {}

ImageBatches::~ImageBatches() = default;

void ImageBatches::begin_epoch() {
  loading_->loader.begin_epoch(epoch_++);
}

std::optional<Batch> ImageBatches::next() {
  const auto made = loading_->loader.next();
  if (!made) return std::nullopt;
  const auto keep = [lease = made->lease](void*) {};
  const schema::ImageShape& shape = loading_->loader.image_shape();
  Batch batch;
  batch.inputs.push_back(at::from_blob(made->images.data(), {made->rows(), shape.channels, shape.height, shape.width},
                                       keep, at::dtype(at::kFloat)));
  batch.target = targets_.of(at::from_blob(made->labels.data(), {made->rows()}, keep, at::dtype(at::kLong)));
  return batch;
}

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
