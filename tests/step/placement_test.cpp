#include "step/placement.hpp"

#include "nn/plans.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::step {
namespace {

// Meta tensors take the place of GPU tensors here.
const c10::Device kCpu(at::kCPU);
const c10::Device kOther(at::kMeta);

struct Parts {
  schema::NetworkPlan plan = tests::small_mlp(4);
  data::Batch batch = data::make_synthetic_batch(plan, 1, kCpu);
  nn::Parameters parameters = nn::Parameters::draw(plan, 1, kCpu);

  [[nodiscard]] std::string refusal() const {
    return tests::usage_error_of([this] { require_on_device(plan, batch, parameters, kCpu); });
  }
};

TEST(Placement, TakesWhatLiesOnOneDevice) {
  const Parts parts;
  EXPECT_NO_THROW(require_on_device(parts.plan, parts.batch, parts.parameters, kCpu));
}

TEST(Placement, NamesAnInputElsewhere) {
  Parts parts;
  parts.batch.inputs[0] = parts.batch.inputs[0].to(kOther);
  EXPECT_EQ(parts.refusal(), "input '" + parts.plan.inputs[0].name +
                                 "' is on meta, but the step runs on cpu; move the tensor there first");
}

TEST(Placement, NamesTheTarget) {
  Parts parts;
  parts.batch.target = parts.batch.target.to(kOther);
  EXPECT_TRUE(tests::contains(parts.refusal(), "the target is on meta"));
}

TEST(Placement, NamesAParameter) {
  Parts parts;
  parts.parameters = nn::Parameters::draw(parts.plan, 1, kOther);
  EXPECT_TRUE(tests::contains(parts.refusal(), "'" + parts.parameters.all()[0].name + "' is on meta"));
}

}  // namespace
}  // namespace mpsbench::step
