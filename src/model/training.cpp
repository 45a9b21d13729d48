#include "model/training.hpp"

#include "base/error.hpp"
#include "model/parameters.hpp"
#include "model/sizes.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mpsbench::model {

namespace {

constexpr double kLargest = 1e6;

struct OptimizerSetting {
  const char* key;
  double initial;  // torch.optim's default
  double min;
  double max;
  bool is_switch = false;
};

struct OptimizerKind {
  const char* name;
  std::vector<OptimizerSetting> settings;
};

std::vector<OptimizerSetting> adam_settings(double weight_decay) {
  return {{"lr", 1e-3, 0, kLargest},
          {"beta1", 0.9, 0, 0.9999999},
          {"beta2", 0.999, 0, 0.9999999},
          {"eps", 1e-8, 0, kLargest},
          {"weight_decay", weight_decay, 0, kLargest},
          {"amsgrad", 0, 0, 1, true}};
}

const std::vector<OptimizerKind>& kinds() {
  static const std::vector<OptimizerKind> kAll = {
      {"sgd",
       {{"lr", 1e-3, 0, kLargest},
        {"momentum", 0, 0, kLargest},
        {"weight_decay", 0, 0, kLargest},
        {"dampening", 0, 0, kLargest},
        {"nesterov", 0, 0, 1, true}}},
      {"adam", adam_settings(0)},
      {"adamw", adam_settings(1e-2)},
      {"none", {}},
  };
  return kAll;
}

const OptimizerKind* find_kind(const std::string& name) {
  const auto found = std::ranges::find(kinds(), name, &OptimizerKind::name);
  return found == kinds().end() ? nullptr : &*found;
}

std::string unknown_kind(const std::string& name) {
  return unknown_name("optimizer", name, optimizer_names());
}

// Whether SPEC has Nesterov without momentum, which torch.optim.SGD also refuses.
bool nesterov_without_momentum(const schema::OptimizerSpec& spec) {
  return spec.name == "sgd" && spec.settings.at("nesterov") != 0 &&
         (spec.settings.at("momentum") == 0 || spec.settings.at("dampening") != 0);
}

constexpr const char* kNesterov = "nesterov needs a momentum above 0 and no dampening";

bool has_parameters(const schema::NetworkNode& node) {
  return std::ranges::any_of(node.tensors, &schema::NetworkTensor::trainable);
}

// NODE was planned, so its tensors' sizes are in range.
std::int64_t parameters(const schema::NetworkNode& node) {
  std::int64_t count = 0;
  for (const schema::NetworkTensor& tensor : node.tensors) {
    if (tensor.trainable) count += elements(tensor.shape).value();
  }
  return count;
}

}  // namespace

std::vector<std::string> loss_names() {
  return {"cross_entropy", "token_cross_entropy", "next_token_cross_entropy", "bce_with_logits", "mse", "mean"};
}

std::string set_loss(schema::NetworkPlan& plan, const std::string& loss, const schema::Shape& logits) {
  plan.loss = loss;
  const auto needs = [&](const char* what) {
    return loss + " needs logits " + what + ", but the network's output is " + schema::to_string(logits);
  };
  // One class number for each of these POSITIONS, of which there are CLASSES.
  const auto set_classes = [&](schema::Shape positions, std::int64_t classes) {
    plan.target_shape = std::move(positions);
    plan.target_dtype = schema::DType::int64;
    plan.target_high = classes;
    return std::string();
  };
  if (loss == "cross_entropy" && logits.size() == 4)  // the classes of pixels
    return set_classes({logits[0], logits[2], logits[3]}, logits[1]);
  if (loss == "cross_entropy" || loss == "mean")
    return logits.size() == 2 ? set_classes({logits[0]}, logits[1]) : needs("[batch, classes]");
  if (loss == "token_cross_entropy" || loss == "next_token_cross_entropy") {
    const bool has_next = logits.size() == 3 && (logits[1] > 1 || loss == "token_cross_entropy");
    return has_next ? set_classes({logits[0], logits[1]}, logits[2])
                    : needs(loss == "token_cross_entropy" ? "[batch, tokens, classes]"
                                                          : "[batch, tokens, classes] of two tokens or more");
  }
  if (loss == "bce_with_logits" || loss == "mse") {
    plan.target_shape = logits;
    plan.target_dtype = schema::DType::float32;
    plan.target_high = 0;
    return "";
  }
  return unknown_name("loss", loss, loss_names());
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const OptimizerKind& kind : kinds()) names.emplace_back(kind.name);
  return names;
}

nlohmann::ordered_json optimizer_json_schema() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const OptimizerKind& kind : kinds()) {
    nlohmann::ordered_json properties{{"name", {{"const", kind.name}}}};
    for (const OptimizerSetting& setting : kind.settings) {
      properties[setting.key] = {{"type", "number"}, {"minimum", setting.min}, {"maximum", setting.max}};
      if (setting.is_switch) properties[setting.key] = {{"enum", {0, 1, true, false}}};
    }
    all.push_back({{"type", "object"},
                   {"properties", std::move(properties)},
                   {"required", {"name"}},
                   {"additionalProperties", false}});
  }
  return {{"oneOf", std::move(all)}};
}

schema::OptimizerSpec read_optimizer(base::Reader reader) {
  base::Reader name = reader.at("name");
  const OptimizerKind* kind = find_kind(name.string());
  if (!kind) throw name.error(unknown_kind(name.string()));
  schema::OptimizerSpec spec{kind->name, {}};
  for (const OptimizerSetting& setting : kind->settings) {
    double value = setting.initial;
    if (reader.has(setting.key)) {
      const base::Reader given = reader.at(setting.key);
      if (setting.is_switch && given.value().is_boolean()) {
        value = given.boolean() ? 1 : 0;
      } else if (setting.is_switch) {
        value = static_cast<double>(given.integer(0, 1));
      } else {
        value = given.number(setting.min, setting.max);
      }
    } else {
      reader.ignore(setting.key);
    }
    spec.settings[setting.key] = value;
  }
  reader.done();
  if (nesterov_without_momentum(spec)) throw reader.error(kNesterov);
  return spec;
}

schema::OptimizerSpec complete_optimizer(const std::string& name, const std::map<std::string, double>& settings) {
  const OptimizerKind* kind = find_kind(name);
  if (!kind) throw base::usage_error(unknown_kind(name));
  schema::OptimizerSpec spec{kind->name, {}};
  for (const OptimizerSetting& setting : kind->settings) spec.settings[setting.key] = setting.initial;
  for (const auto& [key, value] : settings) {
    const auto known = std::ranges::find(kind->settings, key, &OptimizerSetting::key);
    if (known == kind->settings.end()) {
      std::vector<std::string> keys;
      for (const OptimizerSetting& setting : kind->settings) keys.emplace_back(setting.key);
      throw base::usage_error("the optimizer " + name + " has no setting " + in_quotes(key) +
                              base::did_you_mean(key, keys));
    }
    // NaN is never in range.
    const bool in_range = value >= known->min && value <= known->max;
    if (!in_range || (known->is_switch && value != 0 && value != 1)) {
      throw base::usage_error("the optimizer setting '" + key + "' must be " +
                              (known->is_switch ? "0 or 1"
                                                : "from " + nlohmann::json(known->min).dump() + " to " +
                                                      nlohmann::json(known->max).dump()));
    }
    spec.settings[key] = value;
  }
  if (nesterov_without_momentum(spec)) throw base::usage_error(kNesterov);
  return spec;
}

void freeze_backbone(schema::NetworkPlan& plan) {
  if (schema::runs_model_file(plan))
    throw base::usage_error(
        "--freeze-backbone: mpsbench does not know the layers of a model file; leave the option out");
  const auto head = std::find_if(plan.nodes.rbegin(), plan.nodes.rend(), has_parameters);
  const auto tied = std::ranges::find(head->tensors, true, &schema::NetworkTensor::is_shared);
  const std::string shared = tied == head->tensors.end() ? "" : tied->name;
  for (schema::NetworkNode& node : plan.nodes) {
    if (&node == &*head) continue;
    for (schema::NetworkTensor& tensor : node.tensors) tensor.trainable = tensor.name == shared;
    node.backward_macs = 0;
  }
  head->backward_macs = head->forward_macs;  // the gradient of its weights, but not of its input
  plan.backward_macs = head->backward_macs;
  plan.trainable_parameters = parameters(*head);
  plan.activation_bytes = 0;  // a lower bound: the head's input is small
  plan.peak_activation_bytes = 0;
}

}  // namespace mpsbench::model
