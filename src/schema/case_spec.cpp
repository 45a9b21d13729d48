#include "schema/case_spec.hpp"

#include "base/units.hpp"

#include <algorithm>

namespace mpsbench::schema {

namespace {

// Splits TEXT at each SEPARATOR.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    items.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return items;
}

}  // namespace

std::string plain_case_id(const CaseSpec& spec, const std::string& batch) {
  return spec.model + "/" + to_string(spec.mode) + "/" + to_string(spec.device) + "/b" + batch + "/" +
         to_string(spec.precision) + "/" + to_string(spec.engine) + "/" + to_string(spec.dataset);
}

bool reads_each_loss(const CaseSpec& spec) {
  return spec.as_published && row_of(spec.mode).trains && spec.optimizer.name != "none";
}

bool is_published_inference(const CaseSpec& spec) {
  return spec.as_published && spec.mode == Mode::infer && spec.iterations;
}

std::int64_t cached_positions(const CaseSpec& spec) {
  return spec.depth.value_or(0) + spec.prompt.value_or(0) + spec.generate.value_or(1) - 1;
}

std::optional<std::int64_t> tokens_per_row(const CaseSpec& spec) {
  if (row_of(spec.mode).generates) return 1;
  return row_of(spec.mode).has_network && spec.pad != Pad::longest ? spec.max_length : std::nullopt;
}

std::int64_t rows_per_step(const CaseSpec& spec) {
  return spec.batch_size * spec.ranks;
}

std::int64_t steps_per_epoch(const CaseSpec& spec) {
  if (spec.batch_size <= 0) return 0;
  const std::int64_t rows = rows_per_step(spec);
  const bool with_rest = row_of(spec.mode).reads_all || spec.last_batch == LastBatch::keep;
  return with_rest && spec.rows % rows != 0 ? spec.rows / rows + 1 : spec.rows / rows;
}

bool is_equal(const SpecField& field, const CaseSpec& one, const CaseSpec& other) {
  return field.member.visit([&](auto member) { return one.*member == other.*member; });
}

nlohmann::ordered_json value_json(const SpecField& field, const CaseSpec& spec) {
  return field.member.visit([&](auto member) { return to_json(spec.*member); });
}

CaseId::CaseId(const std::string& id) {
  options = split(id, '+');
  parts = split(options.front(), '/');  // values of options may have slashes
  options.erase(options.begin());
}

bool CaseId::has_option(const std::string& name) const {
  return std::ranges::any_of(options, [&](const std::string& option) { return option.starts_with(name + "="); });
}

CaseId CaseId::without_part(std::size_t number) const {
  CaseId rest = *this;
  if (number < parts.size()) rest.parts.erase(rest.parts.begin() + static_cast<std::ptrdiff_t>(number));
  return rest;
}

CaseId CaseId::without_option(const std::string& name) const {
  CaseId rest = *this;
  std::erase_if(rest.options, [&](const std::string& option) { return option.starts_with(name + "="); });
  return rest;
}

CaseId CaseId::without_own_options() const {
  CaseId rest = *this;
  for (const SpecField& field : own_fields()) rest = rest.without_option(field.traits.option);
  return rest;
}

std::string CaseId::text() const {
  std::string text = base::join(parts, "/");
  for (const std::string& option : options) text += "+" + option;
  return text;
}

IdOption::IdOption(const std::string& text) : name(text.substr(0, text.find('='))), value("true") {
  if (name.size() < text.size()) value = text.substr(name.size() + 1);
}

}  // namespace mpsbench::schema
