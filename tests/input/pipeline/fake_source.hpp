// Small images whose pixels show which row they are, with a hook on each read that can count, wait or fail.
#pragma once

#include "input/pipeline/transform.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::pipeline {

class FakeSource final : public ImageSource {
 public:
  explicit FakeSource(std::int64_t rows, std::int64_t size = 4) : rows_(rows), size_(size) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t i = 0; i < 2 * size * size; ++i) pixels_.push_back(pixel(row, i));
    }
  }

  std::function<void(std::int64_t row)> on_read = [](std::int64_t) {};

  static std::uint8_t pixel(std::int64_t row, std::int64_t i) { return static_cast<std::uint8_t>(7 * row + 13 * i); }

  [[nodiscard]] std::string name() const override { return "fake.bin"; }
  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  [[nodiscard]] ImageShape shape() const override { return {2, size_, size_}; }
  [[nodiscard]] std::span<const std::uint8_t> image(std::int64_t row) const override {
    on_read(row);
    const auto bytes = static_cast<std::size_t>(2 * size_ * size_);
    return std::span(pixels_).subspan(static_cast<std::size_t>(row) * bytes, bytes);
  }
  [[nodiscard]] std::int64_t label(std::int64_t row) const override { return row % 10; }

 private:
  std::int64_t rows_;
  std::int64_t size_;
  std::vector<std::uint8_t> pixels_;
};

// Threads wait at the gate until it is opened.
class Gate {
 public:
  void open() {
    {
      const std::scoped_lock lock(mutex_);
      open_ = true;
    }
    opened_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

}  // namespace mpsbench::pipeline
