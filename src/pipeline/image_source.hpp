// Labelled images of one size, read by several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace mpsbench::pipeline {

// Of an image, planes one after the other and row by row: channels x height x width.
struct ImageShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;

  [[nodiscard]] std::size_t plane_elements() const { return static_cast<std::size_t>(height * width); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(channels) * plane_elements(); }
  bool operator==(const ImageShape&) const = default;
};

// What a batch is made from. image() and label() are called from several threads at a time and may throw.
class ImageSource {
 public:
  ImageSource() = default;
  ImageSource(const ImageSource&) = delete;
  ImageSource& operator=(const ImageSource&) = delete;
  virtual ~ImageSource() = default;

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
