#include "step/generation.hpp"

#include "base/units.hpp"
#include "step/engine.hpp"
#include "step/precision.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::step {

namespace {

// Tokens before the prompt are read in pieces, so that they need no more memory than a usual prompt.
constexpr std::int64_t kMostReadAtOnce = 512;

// Of a sequence that is compared.
constexpr std::int64_t kComparedTokens = 4;

at::TensorOptions cache_options(const schema::CaseSpec& spec, const at::Tensor& ids) {
  return ids.options().dtype(autocast_type(spec.precision).value_or(stored_type(spec.precision)));
}

// An engine that is not eager's own loop runs a token at any position.
nn::Positions positions_of(schema::Engine engine) {
  return row_of(engine).packaged || row_of(engine).captured ? nn::Positions::of_device : nn::Positions::of_host;
}

StepComparison compare_logits(schema::Reference reference, const at::Tensor& found, const at::Tensor& expected,
                              const nn::Parameters& parameters, const Limits& limits) {
  StepResults ours;
  StepResults theirs;
  ours.output = found;
  theirs.output = expected;
  return compare(reference, ours, theirs, parameters, limits);
}

class FunctionStep final : public measure::Step {
 public:
  explicit FunctionStep(std::function<void()> function) : function_(std::move(function)) {}

  void run() override { function_(); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  std::function<void()> function_;
};

}  // namespace

Generation::Generation(const schema::NetworkPlan& plan, const nn::Parameters& parameters, at::Tensor ids,
                       const SequenceLengths& lengths, const schema::CaseSpec& spec, const device::Device& device,
                       const nn::Package* package)
    : ids_(std::move(ids)),
      lengths_(lengths),
      precision_(spec.precision),
      cache_(plan, ids_.size(0), lengths.positions(), cache_options(spec, ids_), positions_of(spec.engine)),
      network_(plan, parameters, cache_),
      token_(at::zeros({ids_.size(0), 1}, ids_.options())) {
  const at::Tensor prompt = ids_.narrow(1, lengths_.depth, lengths_.prompt).contiguous();  // packages assume it
  read_depth();
  Read read_prompt = [this](const at::Tensor& tokens) {
    at::Tensor logits = read(tokens);
    at::argmax_out(token_, logits, -1);
    return logits;
  };
  Read read_token = read_prompt;
  if (package != nullptr) {
    std::vector<at::Tensor> arguments = parameters.detached();
    const std::vector<at::Tensor> cached = cache_.tensors();
    arguments.insert(arguments.end(), cached.begin(), cached.end());
    const auto function = [&](const char* name) -> Read {
      return [this, run = package->load(name, ids_.device()), arguments](const at::Tensor& tokens) {
        std::vector<at::Tensor> all = arguments;
        all.push_back(tokens);
        const std::vector<at::Tensor> outputs = run(std::move(all));
        token_.copy_(outputs.at(1));
        return outputs.at(0);
      };
    };
    read_prompt = function("prompt");
    arguments.push_back(cache_.place());
    read_token = function("token");
  }
  const auto step = [&](std::function<void()> function) {
    return make_engine_step(spec.engine, std::make_unique<FunctionStep>(std::move(function)), device);
  };
  prompt_step_ = step([this, read_prompt, prompt] {
    const c10::InferenceMode inference;
    cache_.set_position(lengths_.depth);
    prompt_logits_ = read_prompt(prompt);
    cache_.set_position(lengths_.depth + lengths_.prompt);
  });
  token_step_ = step([this, read_token] {
    const c10::InferenceMode inference;
    token_logits_ = read_token(token_);
    cache_.advance();
  });
  prepare_steps();
}

at::Tensor Generation::read(const at::Tensor& ids) {
  const PrecisionScope scope(precision_, ids.device().type());
  return network_.forward({ids});
}

void Generation::read_depth() {
  const c10::InferenceMode inference;
  for (std::int64_t done = 0; done < lengths_.depth; done += kMostReadAtOnce) {
    cache_.set_position(done);
    (void)read(ids_.narrow(1, done, std::min(kMostReadAtOnce, lengths_.depth - done)));
  }
}

// Lets an engine capture its steps. That is set-up.
void Generation::prepare_steps() {
  const std::int64_t steps = prompt_step_->preparation_steps();
  for (std::int64_t done = 0; steps > 0 && done <= steps; ++done) {
    read_prompt();
    add_token();
  }
}

Generation::Answer Generation::answer(std::int64_t tokens, const at::Tensor& followed) {
  std::vector<at::Tensor> logits;
  std::vector<at::Tensor> found;
  for (std::int64_t i = 0; i < tokens; ++i) {
    i == 0 ? read_prompt() : add_token();
    logits.push_back((i == 0 ? prompt_logits_ : token_logits_).to(at::kCPU, at::kFloat));
    found.push_back(token_.to(at::kCPU, at::kLong, /*non_blocking=*/false, /*copy=*/true));  // it is written again
    if (followed.defined()) token_.copy_(followed.narrow(1, i, 1));
  }
  return {at::cat(logits, 1), at::cat(found, 1)};
}

void Generation::write_answer(const std::string& path) {
  const Answer all = answer(lengths_.generate);
  nn::write_safetensors(path, {{"input_ids", ids_.cpu()}, {"logits", all.logits}, {"tokens", all.tokens}});
}

bool Generation::is_output_finite() const {
  const c10::InferenceMode inference;
  return at::isfinite(token_logits_).all().item<bool>();
}

StepComparison compare_with_full_pass(const schema::NetworkPlan& plan, const nn::Parameters& parameters,
                                      const at::Tensor& ids, const schema::CaseSpec& spec, const device::Device& device,
                                      nn::Model& reference) {
  constexpr std::int64_t kSequences = 2;
  constexpr std::int64_t kDepth = 16;
  constexpr std::int64_t kPrompt = 48;
  const SequenceLengths lengths{.depth = std::min(kDepth, spec.depth.value()),
                                .prompt = std::min(kPrompt, spec.prompt.value()),
                                .generate = std::min(kComparedTokens, spec.generate.value())};
  const at::Tensor rows =
      ids.narrow(0, 0, std::min(kSequences, ids.size(0))).narrow(1, 0, lengths.depth + lengths.prompt).contiguous();
  schema::CaseSpec eager = spec;
  eager.engine = schema::Engine::eager;
  const Generation::Answer found = Generation(plan, parameters, rows, lengths, eager, device).answer(lengths.generate);
  const c10::InferenceMode inference;
  const at::Tensor all = at::cat({rows.cpu(), found.tokens}, 1);
  std::vector<at::Tensor> expected;
  for (std::int64_t length = rows.size(1); length < all.size(1); ++length)
    expected.push_back(reference.forward({all.narrow(1, 0, length)}));
  StepComparison result = compare_logits(schema::Reference::cpu, found.logits, at::cat(expected, 1), parameters,
                                         cpu_limits(spec.precision));
  if (!result.wrong.empty()) result.wrong = "with the cache, " + result.wrong + "; does a token depend on later ones?";
  return result;
}

StepComparison compare_generations(const GenerationMaker& make, const nn::Parameters& parameters,
                                   const schema::CaseSpec& spec) {
  const std::int64_t tokens = std::min(kComparedTokens, spec.generate.value());
  const Generation::Answer found = make(spec.engine)->answer(tokens);
  const Generation::Answer expected = make(schema::Engine::eager)->answer(tokens, found.tokens);
  Limits limits = cpu_limits(spec.precision);
  limits.output *= 2;  // each of them may be so far from the CPU
  StepComparison result = compare_logits(schema::Reference::eager, found.logits, expected.logits, parameters, limits);
  const at::Tensor chosen = found.logits.gather(-1, found.tokens.unsqueeze(-1)).squeeze(-1);
  const double loss = (found.logits.amax(-1) - chosen).max().item<double>();
  if (result.wrong.empty() && loss > limits.output * found.logits.abs().max().item<double>())
    result.wrong = "a token was chosen whose logit is " + base::number_text(loss) + " below the largest";
  return result;
}

}  // namespace mpsbench::step
