#include "step/generation.hpp"

#include "step/precision.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace mpsbench::step {

namespace {

// Tokens before the prompt are read in pieces, so that they need no more memory than a usual prompt.
constexpr std::int64_t kMostReadAtOnce = 512;

}  // namespace

Generation::Generation(const schema::NetworkPlan& plan, const nn::Parameters& parameters, at::Tensor ids,
                       const SequenceLengths& lengths, schema::Precision precision)
    : ids_(std::move(ids)),
      lengths_(lengths),
      precision_(precision),
      cache_(lengths.positions()),
      network_(plan, parameters, cache_) {
  for (std::int64_t done = 0; done < lengths_.depth;) {
    const std::int64_t count = std::min(kMostReadAtOnce, lengths_.depth - done);
    read(ids_.narrow(1, done, count));
    done += count;
  }
}

void Generation::read(const at::Tensor& ids) {
  const c10::InferenceMode inference;
  const PrecisionScope scope(precision_, ids.device().type());
  logits_ = network_.forward({ids});
  cache_.set_position(cache_.position() + ids.size(1));
  token_ = logits_.argmax(-1);
}

void Generation::read_prompt() {
  cache_.set_position(lengths_.depth);
  read(ids_.narrow(1, lengths_.depth, lengths_.prompt));
}

void Generation::add_token() {
  read(token_);
}

void Generation::take_token() {
  (void)token_.cpu();
}

Generation::Answer Generation::answer() {
  std::vector<at::Tensor> logits;
  std::vector<at::Tensor> tokens;
  const auto keep = [&] {
    logits.push_back(logits_.to(at::kCPU, at::kFloat));
    tokens.push_back(token_.cpu());
  };
  read_prompt();
  keep();
  for (std::int64_t step = 0; step < steps(); ++step) {
    add_token();
    keep();
  }
  return {at::cat(logits, 1), at::cat(tokens, 1)};
}

void Generation::write_answer(const std::string& path) {
  const Answer all = answer();
  nn::write_safetensors(path, {{"input_ids", ids_.cpu()}, {"logits", all.logits}, {"tokens", all.tokens}});
}

bool Generation::is_output_finite() const {
  const c10::InferenceMode inference;
  return at::isfinite(logits_).all().item<bool>();
}

StepComparison compare_with_full_pass(const schema::NetworkPlan& plan, const nn::Parameters& parameters,
                                      const at::Tensor& ids, const schema::CaseSpec& spec) {
  constexpr std::int64_t kSequences = 2;
  constexpr std::int64_t kDepth = 16;
  constexpr std::int64_t kPrompt = 48;
  constexpr std::int64_t kGenerate = 4;
  const SequenceLengths lengths{.depth = std::min(kDepth, spec.depth.value()),
                                .prompt = std::min(kPrompt, spec.prompt.value()),
                                .generate = std::min(kGenerate, spec.generate.value())};
  const at::Tensor rows =
      ids.narrow(0, 0, std::min(kSequences, ids.size(0))).narrow(1, 0, lengths.depth + lengths.prompt).contiguous();
  const Generation::Answer found = Generation(plan, parameters, rows, lengths, spec.precision).answer();
  const c10::InferenceMode inference;
  const bool is_reference = rows.is_cpu() && stored_type(spec.precision) == at::kFloat;
  nn::Parameters on_cpu = is_reference ? parameters : parameters.copy(at::kCPU);
  on_cpu.to_type(at::kFloat);
  nn::Network full(plan, std::move(on_cpu), /*training=*/false);
  const at::Tensor all = at::cat({rows.cpu(), found.tokens}, 1);
  std::vector<at::Tensor> expected;
  for (std::int64_t length = rows.size(1); length < all.size(1); ++length)
    expected.push_back(full.forward({all.narrow(1, 0, length)}));
  StepResults ours;
  StepResults theirs;
  ours.output = found.logits;
  theirs.output = at::cat(expected, 1);
  StepComparison result = compare(schema::Reference::cpu, ours, theirs, parameters, cpu_limits(spec.precision));
  if (!result.wrong.empty()) result.wrong = "with the cache, " + result.wrong + "; does a token depend on later ones?";
  return result;
}

}  // namespace mpsbench::step
