#include "input/dataset/image_fit.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace mpsbench::dataset {
namespace {

constexpr ImageShape kCifar{3, 32, 32};
constexpr ImageShape kMnist{1, 28, 28};

TEST(ImageFit, KeepsWhatFits) {
  const ImageFit fit = fit_images(kCifar, {3, 32, 32});
  EXPECT_FALSE(fit.resize_to || fit.crop_to);
}

TEST(ImageFit, ResizesForSmallNetworks) {
  const ImageFit fit = fit_images(kMnist, {1, 32, 32});
  EXPECT_EQ(fit.resize_to, 32);
  EXPECT_FALSE(fit.crop_to.has_value());
}

TEST(ImageFit, CropsForLargeOnes) {
  const ImageFit fit = fit_images(kCifar, {3, 224, 224});
  EXPECT_EQ(fit.resize_to, 256);
  EXPECT_EQ(fit.crop_to, 224);
}

TEST(ImageFit, RefusesOtherChannelsAndShapes) {
  EXPECT_THROW((void)fit_images(kMnist, {3, 32, 32}), base::Error);
  EXPECT_THROW((void)fit_images(kCifar, {3, 32, 64}), base::Error);
}

}  // namespace
}  // namespace mpsbench::dataset
