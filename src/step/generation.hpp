// Generation: sequences that a network continues greedily, with a cache of keys and values.
#pragma once

#include "measure/sequences.hpp"
#include "nn/cache.hpp"
#include "nn/network.hpp"
#include "nn/parameters.hpp"
#include "schema/case_spec.hpp"
#include "schema/network_plan.hpp"
#include "step/comparison.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
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
  // PLAN's network reads IDS, [batch, depth + prompt]. Reads the first DEPTH of them now. PLAN must outlive this
  // object.
  Generation(const schema::NetworkPlan& plan, const nn::Parameters& parameters, at::Tensor ids,
             const SequenceLengths& lengths, schema::Precision precision);

  void read_prompt() override;
  void add_token() override;
  void take_token() override;
  [[nodiscard]] std::int64_t steps() const override { return lengths_.generate - 1; }

  // What a sequence has, on the CPU.
  struct Answer {
    at::Tensor logits;  // [batch, generate, vocabulary], fp32
    at::Tensor tokens;  // [batch, generate], the largest of them
  };
  [[nodiscard]] Answer answer();
  // Writes "input_ids", "logits" and "tokens" of a sequence to a safetensors file.
  void write_answer(const std::string& path);
  // Whether the logits of the last token are finite.
  [[nodiscard]] bool is_output_finite() const;

 private:
  void read(const at::Tensor& ids);

  at::Tensor ids_;
  SequenceLengths lengths_;
  schema::Precision precision_;
  nn::Cache cache_;
  nn::Network network_;
  at::Tensor logits_;  // [batch, 1, vocabulary], of the last token
  at::Tensor token_;   // [batch, 1]
};

// Compares the logits of a short sequence, generated with a cache, with those that PLAN's network computes on the CPU
// in fp32 from all tokens at once. So a network whose tokens depend on later ones, or on others in another way than by
// attention, does not agree.
[[nodiscard]] StepComparison compare_with_full_pass(const schema::NetworkPlan& plan, const nn::Parameters& parameters,
                                                    const at::Tensor& ids, const schema::CaseSpec& spec);

}  // namespace mpsbench::step
