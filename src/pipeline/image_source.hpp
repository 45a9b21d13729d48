// Labelled images of one size, which several threads may read at the same time.
#pragma once

#include "base/interface.hpp"
#include "schema/image_shape.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace mpsbench::pipeline {

using schema::ImageShape;

// The source of the images in a batch. Several threads call image() and label() at the same time; both may
// throw.
class ImageSource : public base::Interface {
 public:
  // Returns the name of the file or folder, for messages.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::int64_t channels() const = 0;
  [[nodiscard]] virtual std::int64_t height() const = 0;
  [[nodiscard]] virtual std::int64_t width() const = 0;
  // Returns channels x height x width bytes. They stay valid at least until the next call from the same
  // thread.
  [[nodiscard]] virtual std::span<const std::uint8_t> image(std::int64_t row) const = 0;
  [[nodiscard]] virtual std::int64_t label(std::int64_t row) const = 0;

  [[nodiscard]] ImageShape shape() const { return {channels(), height(), width()}; }
};

}  // namespace mpsbench::pipeline
