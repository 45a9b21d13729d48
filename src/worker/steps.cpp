#include "worker/steps.hpp"

#include "step/engine.hpp"
#include "step/infer_step.hpp"

#include <utility>

namespace mpsbench::worker {

std::optional<step::TrainSettings> train_settings(const schema::CaseSpec& spec, const device::Device& device,
                                                  step::GradientHook* hook) {
  if (!row_of(spec.mode).trains) return std::nullopt;
  step::TrainSettings settings{.spec = spec, .gradient_hook = hook};
  if (spec.precision == step::Precision::fp16 && !device.capabilities().overflow_skips)
    settings.overflow_check = step::OverflowCheck::host;
  return settings;
}

std::unique_ptr<measure::Step> make_eager_step(const schema::CaseSpec& spec, const device::Device& device,
                                               nn::Model& model, const data::Batch& batch, step::Evidence* evidence,
                                               step::GradientHook* hook) {
  if (const auto settings = train_settings(spec, device, hook))
    return std::make_unique<step::TrainStep>(model, batch, *settings, evidence);
  const auto gradients = schema::is_published_inference(spec) ? step::Gradients::recorded : step::Gradients::none;
  return std::make_unique<step::InferStep>(model, batch, spec.precision, gradients, evidence);
}

std::unique_ptr<measure::Step> make_plain_step(const PreparedLaunch& prepared, const nn::Package* package,
                                               nn::Model& model, step::Evidence* evidence, step::GradientHook* hook) {
  if (package == nullptr)
    return make_eager_step(prepared.request->spec, prepared.device, model, prepared.batch, evidence, hook);
  const auto settings = train_settings(prepared.request->spec, prepared.device, hook);
  if (!settings)
    return std::make_unique<step::InferStep>(step::make_packaged_forward(*package, model, prepared.batch), model,
                                             prepared.batch, step::Gradients::none, evidence);
  return std::make_unique<step::TrainStep>(step::make_packaged_pass(*package, model, prepared.batch), model,
                                           prepared.batch, *settings, evidence);
}

std::unique_ptr<step::Generation> make_generation(const PreparedLaunch& prepared, schema::Engine engine) {
  schema::CaseSpec spec = prepared.request->spec;
  spec.engine = engine;
  const step::SequenceLengths lengths{spec.depth.value(), spec.prompt.value(), spec.generate.value()};
  return std::make_unique<step::Generation>(prepared.request->network_plan, prepared.model->parameters(),
                                            prepared.batch.inputs.front(), lengths, spec, prepared.device,
                                            row_of(engine).packaged ? prepared.package.get() : nullptr);
}

}  // namespace mpsbench::worker
