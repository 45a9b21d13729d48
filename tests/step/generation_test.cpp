#include "step/generation.hpp"

#include "model/networks.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace mpsbench::step {
namespace {

constexpr SequenceLengths kLengths{.depth = 3, .prompt = 5, .generate = 6};

// A small decoder and its sequences.
struct Rig {
  Rig() {
    spec.mode = schema::Mode::generate;
    spec.depth = kLengths.depth;
    spec.prompt = kLengths.prompt;
    spec.generate = kLengths.generate;
  }

  [[nodiscard]] std::unique_ptr<Generation> generation(const nn::Parameters& of) const {
    return std::make_unique<Generation>(plan, of, ids, kLengths, spec, device::Device::open("cpu"));
  }

  schema::CaseSpec spec;
  schema::NetworkPlan plan = model::build_network_plan(
      tests::load_model("gpt2"), 2, {{"layers", 2}, {"hidden", 32}, {"heads", 4}, {"vocabulary", 61}, {"tokens", 5}},
      "next_token_cross_entropy", schema::Mode::generate,
      schema::KeyValueCache{.filled = kLengths.depth, .capacity = kLengths.positions()});
  nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  at::Tensor ids = at::arange(16, at::kLong).view({2, 8});
};

TEST(Generation, ContinuesWithItsLargestLogits) {
  const Rig rig;
  const Generation::Answer answer = rig.generation(rig.parameters)->answer(kLengths.generate);
  EXPECT_EQ(answer.logits.sizes(), (at::IntArrayRef{2, 6, 61}));
  EXPECT_TRUE(at::equal(answer.tokens, answer.logits.argmax(-1)));
}

TEST(Generation, ASequenceBeginsAnew) {
  const Rig rig;
  const std::unique_ptr<Generation> generation = rig.generation(rig.parameters);
  const Generation::Answer first = generation->answer(kLengths.generate);
  EXPECT_TRUE(at::equal(generation->answer(kLengths.generate).logits, first.logits));
}

TEST(Generation, FollowsGivenTokensInsteadOfItsOwn) {
  const Rig rig;
  const std::unique_ptr<Generation> generation = rig.generation(rig.parameters);
  const Generation::Answer own = generation->answer(3);
  const Generation::Answer other = generation->answer(3, (own.tokens + 1).remainder(61));
  EXPECT_TRUE(at::equal(other.logits.narrow(1, 0, 1), own.logits.narrow(1, 0, 1)));
  EXPECT_FALSE(at::allclose(other.logits.narrow(1, 1, 2), own.logits.narrow(1, 1, 2)));
  EXPECT_TRUE(at::equal(generation->answer(3, own.tokens).logits, own.logits));
}

TEST(Generation, AnEngineThatComputesSomethingElseIsWrong) {
  const Rig rig;
  const auto wrong = [&](const nn::Parameters& of_engine) {
    const auto make = [&](schema::Engine engine) {
      return rig.generation(engine == schema::Engine::eager ? rig.parameters : of_engine);
    };
    schema::CaseSpec spec = rig.spec;
    spec.engine = schema::Engine::compiled;
    return compare_generations(make, rig.parameters, spec).wrong;
  };
  EXPECT_EQ(wrong(rig.parameters), "");
  EXPECT_NE(wrong(nn::Parameters::draw(rig.plan, 2, at::kCPU)), "");
}

}  // namespace
}  // namespace mpsbench::step
