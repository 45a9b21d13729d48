#include "collective/gradient_buckets.hpp"

#include "collective/ranks.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

namespace mpsbench::collective {
namespace {

using Tensors = std::vector<at::Tensor>;

Tensors parameters() {
  Tensors all{at::full({4, 3}, 0.5), at::full({4}, 0.25), at::full({2, 4}, 2.0), at::full({5}, 1.0)};
  for (at::Tensor& one : all) one.requires_grad_();
  return all;
}

// The last parameter is not used, so it gets no gradient.
at::Tensor loss_of(const Tensors& all, const at::Tensor& input) {
  return at::linear(at::linear(input, all[0], all[1]).tanh(), all[2]).square().mean();
}

at::Tensor input_of(int rank) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(rank) + 1);
  return at::randn({6, 3}, generator);
}

void finish(GradientBuckets& averages) {
  for (std::size_t i = 0; i < averages.count(); ++i) averages.finish_next();
}

// Returns the gradients of a process that computes all batches on its own.
Tensors joined(int ranks) {
  Tensors all = parameters();
  Tensors inputs;
  for (int rank = 0; rank < ranks; ++rank) inputs.push_back(input_of(rank));
  loss_of(all, at::cat(inputs)).backward();
  return {all[0].grad(), all[1].grad(), all[2].grad()};
}

void expect_averaged(std::optional<std::int64_t> bucket_bytes, std::size_t buckets) {
  const auto gradients = tests::run_groups(3, [=](Group& group) {
    Tensors all = parameters();
    GradientBuckets averages(group, all, {.bucket_bytes = bucket_bytes});
    EXPECT_EQ(averages.count(), buckets);
    for (int step = 0; step < 2; ++step) {
      for (at::Tensor& one : all) one.mutable_grad().reset();
      loss_of(all, input_of(group.rank())).backward();
      finish(averages);
    }
    EXPECT_FALSE(all[3].grad().defined());
    return Tensors{all[0].grad(), all[1].grad(), all[2].grad()};
  });
  const Tensors expected = joined(3);
  for (const Tensors& found : gradients) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(found[i].allclose(expected[i], 1e-5, 1e-7)) << i;
      EXPECT_TRUE(found[i].equal(gradients.front()[i])) << i;
    }
  }
}

TEST(GradientBuckets, AverageOverAllRanks) {
  expect_averaged(std::nullopt, 1);
  expect_averaged(1, 4);   // each gradient has its own
  expect_averaged(48, 3);  // the last two share one
}

TEST(GradientBuckets, AreAboutThreeByDefault) {
  const auto sizes = tests::run_groups(2, [](Group& group) {
    Tensors large;  // 80 MB, so a bucket has at most 30 MB
    for (int i = 0; i < 20; ++i) large.push_back(at::zeros({1'000'000}).requires_grad_());
    std::vector<std::size_t> of_buckets;
    for (const auto& bucket : GradientBuckets(group, large).parameters()) of_buckets.push_back(bucket.size());
    return of_buckets;
  });
  for (const auto& one : sizes) EXPECT_EQ(one, (std::vector<std::size_t>{7, 7, 6}));
}

// The last layer's gradient is changed when its average should already be under way, with the values before.
TEST(GradientBuckets, AverageWhileTheBackwardPassGoesOn) {
  const auto gradients = tests::run_groups(2, [](Group& group) {
    Tensors all{at::ones({3, 3}).requires_grad_(), at::ones({3, 3}).requires_grad_()};
    GradientBuckets averages(group, all, {.bucket_bytes = 1});
    const at::Tensor first = at::linear(at::ones({1, 3}), all[0]);
    first.register_hook([&](const at::Tensor&) { all[1].mutable_grad().fill_(100); });
    at::linear(first.relu(), all[1]).sum().backward();
    finish(averages);
    return all[1].grad();
  });
  for (const at::Tensor& gradient : gradients) EXPECT_TRUE(gradient.equal(at::full({3, 3}, 3.0F))) << gradient;
}

TEST(GradientBuckets, TakeGradientsThatDoNotComeFromAutograd) {
  const auto gradients = tests::run_groups(2, [](Group& group) {
    Tensors all = parameters();
    GradientBuckets averages(group, all);
    for (at::Tensor& one : all) one.mutable_grad() = at::full_like(one, 1.0 + group.rank());
    finish(averages);
    return all[2].grad();
  });
  for (const at::Tensor& gradient : gradients) EXPECT_TRUE(gradient.equal(at::full({2, 4}, 1.5)));
}

TEST(GradientBuckets, LeaveGradientsAloneWhileTheyAreOff) {
  const auto gradients = tests::run_groups(2, [](Group& group) {
    Tensors all{at::ones({3})};
    all[0].requires_grad_();
    GradientBuckets averages(group, all);
    averages.turn(false);
    (all[0] * static_cast<double>(group.rank() + 1)).sum().backward();
    finish(averages);
    const at::Tensor own = all[0].grad();
    averages.turn(true);
    all[0].mutable_grad().reset();
    (all[0] * static_cast<double>(group.rank() + 1)).sum().backward();
    finish(averages);
    averages.average_again();
    return Tensors{own, all[0].grad()};
  });
  for (std::size_t rank = 0; rank < gradients.size(); ++rank) {
    EXPECT_TRUE(gradients[rank][0].equal(at::full({3}, static_cast<double>(rank + 1)).to(at::kFloat)));
    EXPECT_TRUE(gradients[rank][1].equal(at::full({3}, 1.5F)));
  }
}

TEST(GradientBuckets, KnowTheirBytes) {
  tests::run_groups(2, [](Group& group) {
    EXPECT_EQ(GradientBuckets(group, parameters(), {.bucket_bytes = 48}).bytes(), (12 + 4 + 8 + 5) * 4);
    return 0;
  });
}

// Without an optimizer, gradients add up over the steps.
TEST(GradientBuckets, KeepWhatIsAddedUp) {
  const auto gradients = tests::run_groups(2, [](Group& group) {
    Tensors all{at::ones({3})};
    all[0].requires_grad_();
    GradientBuckets averages(group, all);
    for (int step = 0; step < 3; ++step) {
      (all[0] * static_cast<double>(group.rank() + 1)).sum().backward();
      finish(averages);
    }
    return all[0].grad();
  });
  for (const at::Tensor& gradient : gradients) EXPECT_TRUE(gradient.equal(at::full({3}, 4.5))) << gradient;
}

}  // namespace
}  // namespace mpsbench::collective
