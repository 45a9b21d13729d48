// Generation: sequences that a network continues greedily, with a cache of keys and values.
#pragma once

#include "device/device.hpp"
#include "measure/sequences.hpp"
#include "measure/step.hpp"
#include "nn/cache.hpp"
#include "nn/model_files.hpp"
#include "nn/network.hpp"
#include "nn/parameters.hpp"
#include "schema/case_spec.hpp"
#include "schema/network_plan.hpp"
#include "step/comparison.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace mpsbench::step {

// How long a sequence is, in tokens.
struct SequenceLengths {
  std::int64_t depth = 0;     // read before anything is timed
  std::int64_t prompt = 0;    // read at once
  std::int64_t generate = 0;  // that follow, the last of which is not read

  [[nodiscard]] std::int64_t positions() const { return depth + prompt + generate - 1; }
};

class Generation final : public measure::Sequences {
 public:
  // Runs PLAN's network as SPEC's engine does on DEVICE. IDS are [batch, depth + prompt], of which this reads the first
  // DEPTH. PACKAGE is null unless the engine runs packages. PLAN must outlive this object.
  Generation(const schema::NetworkPlan& plan, const nn::Parameters& parameters, at::Tensor ids,
             const SequenceLengths& lengths, const schema::CaseSpec& spec, const device::Device& device,
             const nn::Package* package = nullptr);

  void read_prompt() override { prompt_step_->run(); }
  void add_token() override { token_step_->run(); }
  void take_token() override { (void)token_.cpu(); }
  [[nodiscard]] std::int64_t steps() const override { return lengths_.generate - 1; }

  // What a sequence has, on the CPU.
  struct Answer {
    at::Tensor logits;  // [batch, tokens, vocabulary], fp32
    at::Tensor tokens;  // [batch, tokens], the largest of them
  };
  // Its first TOKENS. If FOLLOWED is defined, [batch, tokens], the network reads these instead of its own.
  [[nodiscard]] Answer answer(std::int64_t tokens, const at::Tensor& followed = {});
  // Writes "input_ids", "logits" and "tokens" of a sequence to a safetensors file.
  void write_answer(const std::string& path);
  // Whether the logits of the last token are finite.
  [[nodiscard]] bool is_output_finite() const;

 private:
  // Reads IDS, [batch, length]. Returns the logits of the last of them, and puts the likeliest next ids into token_.
  using Read = std::function<at::Tensor(const at::Tensor& ids)>;

  [[nodiscard]] at::Tensor read(const at::Tensor& ids);  // returns the logits of the last of them
  void read_depth();
  void prepare_steps();

  at::Tensor ids_;
  SequenceLengths lengths_;
  schema::Precision precision_;
  nn::Cache cache_;
  nn::Network network_;
  at::Tensor token_;                         // [batch, 1]
  at::Tensor prompt_logits_, token_logits_;  // [batch, 1, vocabulary]
  std::unique_ptr<measure::Step> prompt_step_, token_step_;
};

// Compares the logits of a short sequence, generated with a cache, with those that REFERENCE, PLAN's network on the CPU
// in fp32, computes from all tokens at once. So a network whose tokens depend on later ones, or on others in another
// way than by attention, does not agree.
[[nodiscard]] StepComparison compare_with_full_pass(const schema::NetworkPlan& plan, const nn::Parameters& parameters,
                                                    const at::Tensor& ids, const schema::CaseSpec& spec,
                                                    const device::Device& device, nn::Model& reference);

using GenerationMaker = std::function<std::unique_ptr<Generation>(schema::Engine)>;

// Compares the first tokens' logits of SPEC's engine with those of eager, which reads the same tokens. There is never
// more than one cache.
[[nodiscard]] StepComparison compare_generations(const GenerationMaker& make, const nn::Parameters& parameters,
                                                 const schema::CaseSpec& spec);

}  // namespace mpsbench::step
