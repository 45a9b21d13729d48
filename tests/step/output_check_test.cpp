#include "step/output_check.hpp"

#include "nn/network.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::step {
namespace {

struct Rig {
  schema::NetworkPlan plan = testing::small_mlp(4);
  nn::Network network{plan, nn::Parameters::draw(plan, 1, at::kCPU), /*training=*/true};
  data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);

  [[nodiscard]] std::string check(Precision precision) const {
    return check_output(network, batch, precision);
  }
};

TEST(OutputCheck, PassesWhatPrecisionExplains) {
  const Rig rig;
  EXPECT_EQ(rig.check(Precision::fp32), "");
  EXPECT_EQ(rig.check(Precision::bf16), "");
}

TEST(OutputCheck, RefusesWhatIsNotANumber) {
  const Rig rig;
  rig.batch.inputs[0].narrow(0, 0, 1).fill_(std::numeric_limits<float>::quiet_NaN());
  EXPECT_NE(rig.check(Precision::fp32), "");
}

TEST(OutputCheck, LooksAtASingleRowToo) {
  Rig rig;
  rig.batch.inputs[0] = rig.batch.inputs[0].narrow(0, 0, 1);
  EXPECT_EQ(rig.check(Precision::fp32), "");
}

}  // namespace
}  // namespace mpsbench::step
