// Tests the stand-in itself: it must be really asynchronous, and as strict as MPS.
#include "queue.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>

namespace mpsbench::standin {
namespace {

const at::TensorOptions kMps = at::TensorOptions().dtype(at::kFloat).device(at::kMPS);

// Blocks the queue until it is destroyed.
class HeldQueue {
 public:
  HeldQueue() {
    Queue::instance().push([go = go_.get_future().share()] { go.wait(); });
  }
  ~HeldQueue() { go_.set_value(); }

 private:
  std::promise<void> go_;
};

void synchronise() {
  Queue::instance().synchronise();
}

void expect_words(const std::function<void()>& act, const std::string& words) {
  try {
    act();
    FAIL() << "no error: " << words;
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what_without_backtrace()).find(words), std::string::npos) << error.what();
  }
}

TEST(Standin, ReturnsBeforeTheWorkIsDone) {
  const at::Tensor left = at::randn({8, 8}, kMps);
  const at::Tensor right = at::randn({8, 8}, kMps);
  const auto compute = [&] { return at::mm(left, right).relu_().t(); };
  (void)compute();  // the first call, from which the stand-in learns the shapes of the results
  at::Tensor product;
  {
    const HeldQueue held;
    product = compute();  // would wait for ever if it were not asynchronous
    EXPECT_EQ(product.sizes(), (at::IntArrayRef{8, 8}));
  }
  EXPECT_TRUE(at::allclose(product.cpu(), at::mm(left.cpu(), right.cpu()).relu().t()));
}

TEST(Standin, AnErrorOnTheQueueIsThrownBySynchronise) {
  const at::Tensor table = at::randn({4, 2}, kMps);
  const at::Tensor rows = at::zeros({3}, kMps.dtype(at::kLong));
  (void)at::embedding(table, rows);
  (void)at::embedding(table, rows + 9);
  EXPECT_THROW(synchronise(), c10::Error);
  synchronise();  // the error is thrown only once
}

TEST(Standin, MemoryOfAFreedTensorStaysForWhatIsQueued) {
  const at::Tensor sum = at::zeros({1 << 20}, kMps);
  const auto add = [&sum] { sum.add_(at::ones({1 << 20}, kMps)); };
  add();
  {
    const HeldQueue held;
    add();
  }
  EXPECT_EQ(sum.min().item<float>(), 2);
}

TEST(Standin, ShapesThatValuesDecideAreNotRemembered) {
  for (const std::int64_t count : {3, 5, 2}) {
    at::Tensor row = at::zeros({8}, kMps);
    row.narrow(0, 0, count).fill_(1);
    EXPECT_EQ(at::nonzero(row).size(0), count);
  }
}

TEST(Standin, AnOutputIsResizedAtFirstAndLater) {
  const at::Tensor ones = at::ones({2, 3}, kMps);
  for (int i = 0; i < 2; ++i) {
    at::Tensor out = at::empty({0}, kMps);
    at::add_out(out, ones, ones);
    EXPECT_EQ(out.sizes(), ones.sizes());
    EXPECT_EQ(out.sum().item<float>(), 12);
  }
}

TEST(Standin, EqualSeedsDrawTheNumbersOfTheCpu) {
  at::manual_seed(3);
  const at::Tensor cpu = at::rand({10});
  for (int i = 0; i < 2; ++i) {
    at::manual_seed(3);
    EXPECT_TRUE(at::equal(at::rand({10}, kMps).cpu(), cpu));
  }
}

TEST(StandinDeathTest, TheHostCannotRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const at::Tensor tensor = at::ones({4}, kMps);
        synchronise();
        std::printf("%f", static_cast<double>(*static_cast<volatile float*>(tensor.data_ptr())));
      },
      "");
}

TEST(Strict, NoFloat64) {
  const std::string words = "Cannot convert a MPS Tensor to float64 dtype";
  const at::Tensor tensor = at::ones({4}, kMps);
  expect_words([] { (void)at::ones({4}, kMps.dtype(at::kDouble)); }, words);
  expect_words([&] { (void)tensor.to(at::kDouble); }, words);
  expect_words([&] { (void)tensor.to(at::kCPU, at::kDouble); }, words);
  EXPECT_EQ(tensor.cpu().to(at::kDouble).sum().item<double>(), 4);
}

TEST(Strict, NoMixedDevices) {
  const at::Tensor here = at::ones({4});
  const at::Tensor there = at::ones({4}, kMps);
  expect_words([&] { (void)(there + here); }, "Expected all tensors to be on the same device");
  expect_words([&] { (void)at::mm(there.view({2, 2}), here.view({2, 2})); }, "on the same device");
  EXPECT_EQ((there * at::scalar_tensor(2)).sum().item<float>(), 8);  // a single number may be on the host
}

TEST(Strict, OnlyOperatorsThatMpsHas) {
  const at::Tensor tensor = at::ones({4}, kMps);
  const auto act = [&] { return at::special_airy_ai(tensor); };
  expect_words(act, "The operator 'aten::special_airy_ai.out' is not currently implemented for the MPS device");
  setenv("PYTORCH_ENABLE_MPS_FALLBACK", "1", 1);
  EXPECT_TRUE(at::allclose(act().cpu(), at::special_airy_ai(tensor.cpu())));
  unsetenv("PYTORCH_ENABLE_MPS_FALLBACK");
}

TEST(Strict, AttentionWithoutGradientsHasNoDropout) {
  const at::Tensor heads = at::randn({1, 2, 4, 8}, kMps);
  const auto attend = [](const at::Tensor& tensor) {
    return at::scaled_dot_product_attention(tensor, tensor, tensor, {}, 0.5);
  };
  expect_words([&] { (void)attend(heads); }, "dropout_p");
  EXPECT_EQ(attend(heads.detach().requires_grad_()).sizes(), heads.sizes());
}

}  // namespace
}  // namespace mpsbench::standin
