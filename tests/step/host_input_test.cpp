#include "step/host_input.hpp"

#include "base/error.hpp"
#include "device/device.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace mpsbench::step {
namespace {

TEST(HostInput, IsNoQuestionOnTheCpu) {
  const data::Batch batch = data::make_synthetic_batch(testing::small_mlp(4), 1, at::kCPU);
  try {
    const HostInput input(batch, device::Device::open("cpu"));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::no_device);
  }
}

// Sums what it reads, then spoils it: only a fresh copy gives the same sum again.
class SpoilingStep final : public measure::Step {
 public:
  explicit SpoilingStep(data::Batch& batch) : batch_(&batch) {}

  void run() override {
    sums.push_back(batch_->inputs[0].sum() + batch_->target.sum());
    batch_->inputs[0].zero_();
    batch_->target.zero_();
  }
  std::optional<double> loss() override { return sums.back().item<double>(); }

  std::vector<at::Tensor> sums;

 private:
  data::Batch* batch_;
};

// By CUDA's row of capabilities and by MPS's.
class HostInputOnCuda : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ::setenv("MPSBENCH_DEVICE_ROW", GetParam(), 1); }
  void TearDown() override { ::unsetenv("MPSBENCH_DEVICE_ROW"); }
};

TEST_P(HostInputOnCuda, BringsTheBatchForEveryStep) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const device::Device device = device::Device::open("cuda");
  data::Batch batch = data::make_synthetic_batch(testing::small_mlp(512), 1, device.torch());
  const double expected = (batch.inputs[0].sum() + batch.target.sum()).item<double>();
  HostInput input(batch, device);
  SpoilingStep resident(batch);
  FedStep fed(resident, input);
  for (int i = 0; i < 50; ++i) fed.run();
  for (const at::Tensor& sum : resident.sums) EXPECT_NEAR(sum.item<double>(), expected, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Rows, HostInputOnCuda, ::testing::Values("cuda", "mps"));

}  // namespace
}  // namespace mpsbench::step
