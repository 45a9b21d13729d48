#include "schema/weights_check.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace mpsbench::schema {
namespace {

using Names = std::map<std::string, std::string>;  // of the file, by what the network would call them

// Returns "TITLE: a, b, c and 7 more", or "" if NAMES is empty.
std::string list(const std::string& title, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  if (names.empty()) return "";
  const std::string text = title + ": " + base::join(std::span(names).first(std::min(kShown, names.size())));
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

std::string join(std::vector<std::string> parts) {
  std::erase(parts, "");
  return base::join(parts, "; ");
}

// Returns NAME with PyTorch's words for a norm's parameters. Files that came from TensorFlow have others.
std::string in_torch_words(const std::string& name) {
  for (const auto& [other, own] : {std::pair{".gamma", ".weight"}, std::pair{".beta", ".bias"}}) {
    if (name.ends_with(other)) return name.substr(0, name.rfind('.')) + own;
  }
  return name;
}

// Returns "" and those beginnings, such as "module." and "module.bert.", that at least half of NAMES share.
std::vector<std::string> prefixes_of(const Names& names) {
  constexpr int kMostParts = 3;
  std::map<std::string, std::size_t> counts;
  for (const auto& [name, value] : names) {
    std::size_t dot = name.find('.');
    for (int part = 0; part < kMostParts && dot != std::string::npos; ++part, dot = name.find('.', dot + 1))
      ++counts[name.substr(0, dot + 1)];
  }
  std::vector<std::string> prefixes{""};
  for (const auto& [prefix, count] : counts) {
    if (2 * count >= names.size()) prefixes.push_back(prefix);
  }
  return prefixes;
}

// Returns the names of the file without the prefix STRIPPED and with the prefix ADDED. Those without STRIPPED
// stay as they are.
Names renamed(const Names& names, const std::string& stripped, const std::string& added) {
  Names result;
  for (const auto& [name, in_file] : names) {
    if (name.starts_with(stripped)) result.emplace(added + name.substr(stripped.size()), in_file);
  }
  for (const auto& [name, in_file] : names) {
    if (!name.starts_with(stripped) || !added.empty()) result.emplace(name, in_file);
  }
  return result;
}

// Returns the file's names as the network would say them, by the prefixes with which most tensors of WANTED
// are there in their shape.
Names best_names(const base::SafetensorsHeader& header, const std::vector<const NetworkTensor*>& wanted) {
  Names own;
  for (const NetworkTensor* tensor : wanted) own.emplace(tensor->name, tensor->name);
  Names plain;
  for (const auto& [name, entry] : header.tensors) {
    const std::string usual = in_torch_words(name);
    const bool is_twice = usual != name && header.tensors.contains(usual);
    plain.emplace(is_twice ? name : usual, name);
  }
  Names best;
  std::ptrdiff_t most = -1;
  for (const std::string& stripped : prefixes_of(plain)) {
    for (const std::string& added : prefixes_of(own)) {
      Names names = renamed(plain, stripped, added);
      const auto fitting = std::ranges::count_if(wanted, [&](const NetworkTensor* tensor) {
        const auto found = names.find(tensor->name);
        return found != names.end() && header.tensors.at(found->second).shape == tensor->shape;
      });
      if (fitting <= most) continue;
      most = fitting;
      best = std::move(names);
    }
  }
  return best;
}

bool has_parameters(const NetworkNode& node) {
  return std::ranges::any_of(node.tensors, &NetworkTensor::trainable);
}

// Returns the tensors of the head as far as the file lacks whole layers of it, the last layer first.
std::set<std::string> missing_head(const NetworkPlan& plan, const Names& names) {
  auto left = std::ranges::count_if(plan.nodes, has_parameters) / 2;
  std::set<std::string> head;
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend() && left > 0; ++node) {
    if (node->tensors.empty()) continue;
    const bool is_missing =
        std::ranges::none_of(node->tensors, [&](const NetworkTensor& tensor) { return names.contains(tensor.name); });
    const bool is_of_head = head.empty() || node->type == "linear";
    if (!is_missing || !is_of_head) break;
    for (const NetworkTensor& tensor : node->tensors) head.insert(tensor.name);
    --left;
  }
  return head;
}

// Returns NAME with each number as '#': tensors of repeated layers have one such form.
std::string form_of(const std::string& name) {
  std::string form;
  for (const char c : name) {
    if (!base::is_digit(c)) {
      form += c;
    } else if (!form.ends_with('#')) {
      form += '#';
    }
  }
  return form;
}

std::string layer_of(const std::string& name) {
  return name.substr(0, name.rfind('.'));
}

}  // namespace

WeightsMatch match_weights(const base::SafetensorsHeader& header, const NetworkPlan& plan, const std::string& file) {
  std::vector<const NetworkTensor*> wanted;
  std::set<std::string> forms;
  std::set<std::string> layers;
  for (const NetworkNode& node : plan.nodes) {
    for (const NetworkTensor& tensor : node.tensors) {
      if (tensor.is_shared) continue;
      wanted.push_back(&tensor);
      forms.insert(form_of(tensor.name));
      layers.insert(node.name);
    }
  }
  const Names names = best_names(header, wanted);
  const std::set<std::string> head = missing_head(plan, names);
  WeightsMatch match;
  std::vector<std::string> missing;
  std::vector<std::string> misshapen;
  std::vector<std::string> more;
  std::set<std::string> used;
  for (const NetworkTensor* tensor : wanted) {
    const auto found = names.find(tensor->name);
    if (found == names.end() || used.contains(found->second)) {
      if (head.contains(tensor->name)) {
        match.drawn.push_back(tensor->name);
      } else if (tensor->role != "num_batches_tracked") {
        missing.push_back(tensor->name);
      }
      continue;
    }
    const Shape& shape = header.tensors.at(found->second).shape;
    if (shape != tensor->shape)
      misshapen.push_back(tensor->name + " is " + to_string(shape) + " instead of " + to_string(tensor->shape));
    match.names.emplace(tensor->name, found->second);
    used.insert(found->second);
  }
  for (const auto& [name, in_file] : names) {
    if (!used.insert(in_file).second) continue;
    const bool is_more = forms.contains(form_of(name)) || layers.contains(layer_of(name));
    (is_more ? more : match.left_over).push_back(in_file);
  }
  if (missing.empty() && misshapen.empty() && more.empty()) return match;
  throw base::usage_error(file + ": these are not the weights of '" + plan.model + "'; " +
                          join({list("missing", missing), list("wrong shape", misshapen),
                                list("more than the network has", more), list("unknown", match.left_over)}));
}

std::string remark_on(const WeightsMatch& match) {
  return join(
      {list("drawn, because the file lacks them", match.drawn), list("left over in the file", match.left_over)});
}

}  // namespace mpsbench::schema
