// Labelled images of one size, read by several threads at once.
#pragma once

#include "base/interface.hpp"
#include "schema/image_shape.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace mpsbench::pipeline {

using schema::ImageShape;

// What a batch is made from. image() and label() are called from several threads at a time and may throw.
class ImageSource : public base::Interface {
 public:
  // The file or folder, for messages.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::int64_t channels() const = 0;
  [[nodiscard]] virtual std::int64_t height() const = 0;
  [[nodiscard]] virtual std::int64_t width() const = 0;
  // channels x height x width bytes, valid until the next call from the same thread at least.
  [[nodiscard]] virtual std::span<const std::uint8_t> image(std::int64_t row) const = 0;
  [[nodiscard]] virtual std::int64_t label(std::int64_t row) const = 0;

  [[nodiscard]] ImageShape shape() const { return {channels(), height(), width()}; }
};

}  // namespace mpsbench::pipeline
