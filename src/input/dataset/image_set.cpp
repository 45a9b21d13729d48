#include "input/dataset/image_set.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace mpsbench::dataset {

ImageSet::ImageSet(ImageShape shape, std::int64_t classes, std::vector<ImagePart> parts,
                   std::vector<std::filesystem::path> files)
    : shape_(shape), classes_(classes), parts_(std::move(parts)), files_(std::move(files)), first_rows_{0} {
  for (const ImagePart& part : parts_) first_rows_.push_back(first_rows_.back() + part.rows);
}

ImageSet::RowPlace ImageSet::place_of(std::int64_t row) const {
  if (row < 0 || row >= rows()) throw std::out_of_range("no row " + std::to_string(row) + " in this data set");
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  const auto part = static_cast<std::size_t>(after - first_rows_.begin()) - 1;
  return {parts_[part], static_cast<std::size_t>(row - first_rows_[part])};
}

std::span<const std::uint8_t> ImageSet::image(std::int64_t row) const {
  const RowPlace place = place_of(row);
  const auto bytes = static_cast<std::size_t>(shape_.channels * shape_.height * shape_.width);
  return place.part.images.view.subspan(place.index * place.part.image_stride, bytes);
}

std::int64_t ImageSet::label(std::int64_t row) const {
  const RowPlace place = place_of(row);
  return place.part.labels.view[place.index * place.part.label_stride];
}

}  // namespace mpsbench::dataset
