#include "data/image_batches.hpp"

#include "data/order.hpp"
#include "dataset/image_fit.hpp"
#include "pipeline/loader.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace mpsbench::data {
namespace {

// As in the articles, each channel is scaled to -1 ... 1.
constexpr float kMean = 0.5F;
constexpr float kStddev = 0.5F;

class ImageFiles final : public pipeline::ImageSource {
 public:
  ImageFiles(dataset::ImageSet images, std::string name)
      : images_(std::move(images)), name_(std::move(name)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::int64_t rows() const override { return images_.rows(); }
  [[nodiscard]] std::int64_t channels() const override { return images_.channels(); }
  [[nodiscard]] std::int64_t height() const override { return images_.height(); }
  [[nodiscard]] std::int64_t width() const override { return images_.width(); }
  [[nodiscard]] std::span<const std::uint8_t> image(std::int64_t row) const override {
    return images_.image(row);
  }
  [[nodiscard]] std::int64_t label(std::int64_t row) const override { return images_.label(row); }

 private:
  dataset::ImageSet images_;
  std::string name_;
};

pipeline::ImageTransform transform_for(const schema::ImageShape& have, const schema::NetworkPlan& plan,
                                       DataPart part) {
  const schema::Shape& shape = plan.inputs.at(0).shape;
  const dataset::ImageFit fit = dataset::fit_images(have, {shape.at(1), shape.at(2), shape.at(3)});
  const auto channels = static_cast<std::size_t>(have.channels);
  return {.resize_to = fit.resize_to,
          .crop_to = fit.crop_to,
          .random_crop = part == DataPart::train,
          .mean = std::vector<float>(channels, kMean),
          .stddev = std::vector<float>(channels, kStddev)};
}

std::shared_ptr<void> allocate_pinned(std::size_t bytes) {
  const at::Tensor memory =
      at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
  return {memory.data_ptr(), [memory](void*) {}};
}

}  // namespace

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
  batch.inputs.push_back(at::from_blob(made->images.data(),
                                       {made->rows(), shape.channels, shape.height, shape.width}, keep,
                                       at::dtype(at::kFloat)));
  batch.target = targets_.of(at::from_blob(made->labels.data(), {made->rows()}, keep, at::dtype(at::kLong)));
  return batch;
}

}  // namespace mpsbench::data
