#include "output/text/short_ids.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using Texts = std::vector<std::string>;

TEST(ShortIds, LeaveOutWhatAllShare) {
  EXPECT_EQ(
      short_ids({"mlp/train/cpu/b64/fp32/eager/synthetic", "mlp/infer/cpu/b64/fp32/eager/synthetic+seed=1"}),
      (Texts{"mlp/train/cpu/b64", "mlp/infer/cpu/b64+seed=1"}));
  EXPECT_EQ(short_ids({"mlp/train/cpu/b64/fp32/eager/synthetic", "mlp/train/cpu/b64/bf16/eager/synthetic"}),
            (Texts{"mlp/train/cpu/b64/fp32", "mlp/train/cpu/b64/bf16"}));
}

TEST(ShortIds, WithoutADeviceKeepTheBatch) {
  EXPECT_EQ(short_ids({"mlp/train/b64/fp32/eager/synthetic"}), Texts{"mlp/train/b64"});
}

TEST(ShortIds, TakeAnyText) {
  EXPECT_TRUE(short_ids({}).empty());
  EXPECT_EQ(short_ids({"", "a/b/c/d/e", "x+weights=a/b"}), (Texts{"", "a/b/c/d/e", "x+weights=a/b"}));
}

}  // namespace
}  // namespace mpsbench::output
