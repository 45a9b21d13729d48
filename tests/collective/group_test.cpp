#include "collective/group.hpp"

#include "collective/ranks.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <exception>

namespace mpsbench::collective {
namespace {

TEST(Group, CopiesFromTheFirstInAnyStrides) {
  const auto copies = tests::run_groups(3, [](Group& group) {
    at::Tensor tensor = at::zeros({2, 3, 4, 4}).contiguous(at::MemoryFormat::ChannelsLast);
    if (group.rank() == 0) tensor.copy_(at::arange(96).view({2, 3, 4, 4}));
    tensor.requires_grad_();
    group.copy_from_first(tensor);
    return tensor;
  });
  for (const at::Tensor& copy : copies) EXPECT_TRUE(copy.equal(at::arange(96).view({2, 3, 4, 4}).to(at::kFloat)));
}

// Returns the error of each member of a group on these GPUs.
std::vector<std::string> errors_on(const std::vector<std::string>& gpus) {
  const int ranks = static_cast<int>(gpus.size());
  return tests::run_threads(ranks, [&](const c10::intrusive_ptr<c10d::Store>& store, int rank) {
    store->setTimeout(std::chrono::milliseconds(500));  // for one that waits for a member that was refused
    std::string error;
    try {
      const Group group(store, rank, ranks,
                        {.patience = tests::kPatience, .gpu = gpus[static_cast<std::size_t>(rank)]});
    } catch (const std::exception& refused) {
      error = refused.what();
    }
    return error;
  });
}

TEST(Group, HasAGpuForEach) {
  EXPECT_EQ(errors_on({"a", "b"}), (std::vector<std::string>{"", ""}));
  int refused = 0;
  for (const std::string& error : errors_on({"a", "a"}))
    refused += static_cast<int>(error.find(" has the same GPU as another rank; ") != std::string::npos);
  EXPECT_EQ(refused, 1);
}

TEST(Group, AgreesOnTheLargest) {
  const auto agreed = tests::run_groups(3, [](Group& group) {
    std::array<double, 3> numbers{0.1 * group.rank(), -0.1 * group.rank(), 5};
    group.take_largest(numbers);
    return numbers;
  });
  for (const auto& numbers : agreed) EXPECT_EQ(numbers, (std::array<double, 3>{0.1 * 2, 0, 5}));
}

// A bit differs on one rank, or on none.
TEST(Group, KnowsEqualBits) {
  for (const int other : {-1, 0, 1, 2}) {
    for (const bool are_equal : tests::run_groups(3, [other](Group& group) {
           at::Tensor tensor = at::ones({1000});
           if (group.rank() == other) tensor[999] = 1 + 1.2e-7F;
           return group.are_equal({at::ones({3}), at::full({2, 2}, 0.5).t(), tensor});
         }))
      EXPECT_EQ(are_equal, other == -1) << other;
  }
}

}  // namespace
}  // namespace mpsbench::collective
