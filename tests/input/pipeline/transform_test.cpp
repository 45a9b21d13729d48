#include "input/pipeline/transform.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

namespace mpsbench::pipeline {
namespace {

std::vector<float> apply(const ImageTransform& transform, const ImageShape& shape,
                         const std::vector<std::uint8_t>& image, std::uint64_t seed = 0) {
  const ImagePreparation preparation(transform, shape);
  ImagePreparation::Scratch scratch;
  std::vector<float> out(preparation.output_shape().elements(), -9);
  preparation.apply(image, SplitMix64(seed), scratch, out);
  return out;
}

// Returns a plane whose pixels show their position: 16 row + column.
std::vector<std::uint8_t> map_of(std::int64_t size) {
  std::vector<std::uint8_t> image;
  for (std::int64_t row = 0; row < size; ++row) {
    for (std::int64_t column = 0; column < size; ++column)
      image.push_back(static_cast<std::uint8_t>(16 * row + column));
  }
  return image;
}

std::pair<int, int> corner(const std::vector<float>& out) {
  const int pixel = static_cast<int>(std::lround(out[0] * 255));
  return {pixel / 16, pixel % 16};
}

std::string error_of(const ImageTransform& transform, const ImageShape& shape) {
  try {
    const ImagePreparation preparation(transform, shape);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Transform, WithoutSettingsScalesToOne) {
  EXPECT_EQ(apply({}, {1, 1, 3}, {0, 51, 255}), (std::vector<float>{0, 0.2F, 1}));
}

TEST(Transform, Normalises) {
  EXPECT_EQ(apply({.mean = 0.5F, .stddev = 0.25F}, {2, 1, 2}, {0, 255, 255, 0}), (std::vector<float>{-2, 2, 2, -2}));
}

TEST(Transform, ResizesEveryPlane) {
  const std::vector<float> out = apply({.resize_to = 4}, {2, 1, 2}, {0, 200, 200, 0});
  ASSERT_EQ(out.size(), 32U);
  for (std::size_t row = 0; row < 4; ++row) {
    const std::vector<int> expected{0, 50, 150, 200};
    for (std::size_t x = 0; x < 4; ++x) {
      EXPECT_FLOAT_EQ(out[4 * row + x] * 255, static_cast<float>(expected[x]));
      EXPECT_FLOAT_EQ(out[16 + 4 * row + x] * 255, static_cast<float>(expected[3 - x]));
    }
  }
}

TEST(Transform, CropsTheMiddle) {
  EXPECT_EQ(corner(apply({.crop_to = 4}, {1, 8, 8}, map_of(8))), std::make_pair(2, 2));
  // An odd margin is halved to the even side, as in torchvision: round(0.5) is 0, round(1.5) is 2.
  EXPECT_EQ(corner(apply({.crop_to = 7}, {1, 8, 8}, map_of(8))), std::make_pair(0, 0));
  EXPECT_EQ(corner(apply({.crop_to = 5}, {1, 8, 8}, map_of(8))), std::make_pair(2, 2));
  const ImagePreparation articles({.resize_to = 256, .crop_to = 224}, {3, 32, 32});
  EXPECT_EQ(articles.output_shape(), (ImageShape{3, 224, 224}));
}

TEST(Transform, RandomCropsReachEveryPlaceAndFollowTheSeed) {
  const ImageTransform transform{.crop_to = 6, .random_crop = true};
  std::set<std::pair<int, int>> corners;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<float> out = apply(transform, {1, 8, 8}, map_of(8), seed);
    EXPECT_EQ(out, apply(transform, {1, 8, 8}, map_of(8), seed));
    corners.insert(corner(out));
    EXPECT_FLOAT_EQ(out[35] - out[0], (5 * 16 + 5) / 255.0F);
  }
  EXPECT_EQ(corners.size(), 9U);
}

TEST(Transform, ACropWithoutMarginIsTheWholeImage) {
  const ImageTransform transform{.crop_to = 8, .random_crop = true};
  EXPECT_EQ(apply(transform, {1, 8, 8}, map_of(8), 1), apply({}, {1, 8, 8}, map_of(8)));
}

TEST(Transform, SaysWhatDoesNotFit) {
  EXPECT_EQ(error_of({.crop_to = 33}, {3, 32, 32}), "a crop of 33x33 does not fit into an image of 32x32");
  EXPECT_EQ(error_of({.crop_to = 0}, {3, 32, 32}), "a crop of 0x0 does not fit into an image of 32x32");
  EXPECT_NE(error_of({.resize_to = 0}, {3, 32, 32}).find("not 0"), std::string::npos);
  EXPECT_EQ(error_of({.resize_to = 256, .crop_to = 224}, {1, 28, 28}), "");
}

}  // namespace
}  // namespace mpsbench::pipeline
