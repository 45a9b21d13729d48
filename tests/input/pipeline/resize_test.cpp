#include "input/pipeline/resize.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace mpsbench::pipeline {
namespace {

using Plane = std::vector<std::uint8_t>;

Plane apply(const Resize& resize, const Plane& plane, const CropWindow& window) {
  ResizeScratch scratch;
  Plane out(static_cast<std::size_t>(window.height * window.width));
  resize.apply(plane, window, scratch, out);
  return out;
}

Plane counting_plane(std::size_t size) {
  Plane plane(size);
  for (std::size_t i = 0; i < size; ++i) plane[i] = static_cast<std::uint8_t>(i * 37 + i / 5);
  return plane;
}

TEST(Resize, MixesNeighboursByTheDistanceOfTheirCentres) {
  // The centres of 4 outputs over 2 inputs are 0.25, 0.75, 1.25 and 1.75; those of the inputs are 0.5 and
  // 1.5.
  EXPECT_EQ(apply(Resize(1, 2, 1, 4), {0, 200}, {0, 0, 1, 4}), (Plane{0, 50, 150, 200}));
  EXPECT_EQ(apply(Resize(2, 1, 4, 1), {0, 200}, {0, 0, 4, 1}), (Plane{0, 50, 150, 200}));
}

TEST(Resize, ShrinkingCountsEveryInput) {
  // One output over 4 inputs: a triangle of width 8 around the middle, with weights 5, 7, 7, 5 of 24.
  EXPECT_EQ(apply(Resize(1, 4, 1, 1), {240, 0, 0, 0}, {0, 0, 1, 1}), (Plane{50}));
  EXPECT_EQ(apply(Resize(1, 4, 1, 1), {0, 240, 0, 0}, {0, 0, 1, 1}), (Plane{70}));
}

TEST(Resize, EqualSizesCopy) {
  const Plane plane = counting_plane(42);
  EXPECT_EQ(apply(Resize(6, 7, 6, 7), plane, {0, 0, 6, 7}), plane);
}

TEST(Resize, OnePixelFillsAll) {
  EXPECT_EQ(apply(Resize(1, 1, 3, 2), {201}, {0, 0, 3, 2}), Plane(6, 201));
}

TEST(Resize, AWindowIsThatPartOfTheWhole) {
  for (const std::int64_t size : {11, 64}) {
    const Plane plane = counting_plane(1024);
    const Resize resize(32, 32, size, size);
    const Plane whole = apply(resize, plane, {0, 0, size, size});
    const CropWindow window{3, 2, size - 5, size - 4};
    const Plane part = apply(resize, plane, window);
    for (std::int64_t row = 0; row < window.height; ++row) {
      const auto expected = whole.begin() + (window.top + row) * size + window.left;
      EXPECT_TRUE(std::equal(expected, expected + window.width, part.begin() + row * window.width)) << row;
    }
  }
}

TEST(ResizeAxis, WeightsAddUpToOneEvenAtTheLargestSize) {
  for (const std::int64_t size : {2, 3, 37, 16'384}) {
    const ResizeAxis axis(size, 1);
    const std::int64_t sum = std::accumulate(axis.weights.begin(), axis.weights.end(), std::int64_t{0});
    EXPECT_LE(std::abs(sum - (1 << ResizeAxis::kWeightBits)), size / 2) << size;
    EXPECT_EQ(apply(Resize(1, size, 1, 1), Plane(static_cast<std::size_t>(size), 255), {0, 0, 1, 1}), (Plane{255}));
  }
}

TEST(ResizeAxis, SizesHaveBounds) {
  EXPECT_THROW(ResizeAxis(0, 5), base::Error);
  EXPECT_THROW(ResizeAxis(5, 0), base::Error);
  EXPECT_THROW(ResizeAxis(16'385, 5), base::Error);
  EXPECT_NO_THROW(ResizeAxis(16'384, 16'384));
}

}  // namespace
}  // namespace mpsbench::pipeline
