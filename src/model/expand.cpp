#include "model/expander.hpp"
#include "model/sizes.hpp"

#include <utility>

namespace mpsbench::model {
namespace {

constexpr std::size_t kMaxInputs = 16;
constexpr std::size_t kMaxInputRank = 6;

DType read_input_dtype(const base::Reader& reader) {
  const auto dtype = schema::parse_name<DType>(reader.string());
  if (dtype && row_of(*dtype).is_input) return *dtype;
  std::string known;
  for (const schema::DTypeRow& row : schema::ClosedSet<DType>::kRows) {
    if (row.is_input) known += (known.empty() ? "\"" : " or \"") + std::string(row.name) + "\"";
  }
  throw reader.error("expected " + known);
}

void read_fill(base::Reader& reader, const Environment& model, schema::NetworkInput& input, Value& value) {
  const std::int64_t most_high = row_of(value.dtype).most_high;
  const bool floats = most_high == 0;
  input.fill = floats ? "normal" : "integers";
  if (reader.has("fill")) {
    const base::Reader fill = reader.at("fill");
    input.fill = fill.string();
    const bool constant = input.fill == "zeros" || input.fill == "ones";
    const bool drawn = floats ? input.fill == "normal" || input.fill == "uniform" : input.fill == "integers";
    if (!constant && !drawn) {
      throw fill.error(floats ? "expected one of: normal, uniform, zeros, ones"
                              : "expected one of: integers, zeros, ones");
    }
  }
  if (input.fill == "integers") {
    const base::Reader high = reader.at("high");
    const nlohmann::json resolved = model.resolve(high);
    input.high = base::Reader(resolved, high.file(), high.path()).integer(1, most_high);
  }
  if (!floats) value.high = input.fill == "integers" ? input.high : (input.fill == "zeros" ? 1 : 2);
}

void add_input(Expander& expander, base::Reader reader, const Environment& model, std::int64_t batch_size) {
  schema::NetworkInput input;
  Value value;
  const base::Reader name = reader.at("name");
  input.name = name.string();
  if (!is_identifier(input.name)) throw name.error("a name must be 1 to 100 letters, digits and _");
  const base::Reader dtype = reader.at("dtype");
  input.dtype = value.dtype = read_input_dtype(dtype);

  const base::Reader shape = reader.at("shape");
  const nlohmann::json resolved = model.resolve(shape);
  const base::Reader sizes(resolved, shape.file(), shape.path());
  if (sizes.size() == 0 || sizes.size() > kMaxInputRank) {
    throw shape.error("expected a list of 1 to 6 sizes; leave the batch size out");
  }
  input.shape = sizes.integers(1, kMaxSize);
  input.shape.insert(input.shape.begin(), batch_size);
  if (!elements(input.shape)) {
    throw shape.error("with the batch size the shape is " + schema::to_string(input.shape) +
                      ", which is larger than any machine's memory; use a smaller --batch-size");
  }
  value.shape = input.shape;
  read_fill(reader, model, input, value);
  reader.done();
  expander.add_input(std::move(input), std::move(value), name);
}

}  // namespace

std::string Scope::full_name(const std::string& name) const {
  return prefix.empty() ? name : prefix + "." + name;
}

bool Names::add(const std::string& full_name, int slot) {
  return slots_.emplace(full_name, slot).second;
}

std::optional<int> Names::find(const std::string& prefix, const std::string& name) const {
  for (std::string scope = prefix;;) {
    const auto found = slots_.find(scope.empty() ? name : scope + "." + name);
    if (found != slots_.end()) return found->second;
    if (scope.empty()) return std::nullopt;
    const std::size_t dot = scope.rfind('.');
    scope = dot == std::string::npos ? "" : scope.substr(0, dot);
  }
}

std::optional<std::string> with_index(const std::string& text, std::optional<std::int64_t> index) {
  std::string result = text;
  for (std::size_t at = result.find("{i}"); at != std::string::npos; at = result.find("{i}", at)) {
    if (!index) return std::nullopt;
    result.replace(at, 3, std::to_string(*index));
  }
  return result;
}

Graph expand(base::Reader document, const Environment& model, std::int64_t batch_size, schema::Mode mode,
             const std::optional<schema::KeyValueCache>& cache) {
  Expander expander(document, model, mode, cache);
  const base::Reader inputs = document.at("inputs");
  if (inputs.size() == 0 || inputs.size() > kMaxInputs) throw inputs.error("expected a list of 1 to 16 inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) add_input(expander, inputs.item(i), model, batch_size);
  expander.expand();
  if (const std::string unused = model.unused(); !unused.empty()) {
    throw document.at("parameters").error("the parameter '" + unused + "' is never used; remove it");
  }
  return expander.take();
}

}  // namespace mpsbench::model
