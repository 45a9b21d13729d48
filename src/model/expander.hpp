// Writes out blocks, groups and repeats. The result is the document's layers in order of execution, all
// planned. Full names of layers are composed like the names in a state dict.
#pragma once

#include "base/json_reader.hpp"
#include "model/graph.hpp"
#include "model/parameters.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpsbench::model {

// More layers than any supported network has. The limit stops definitions whose nested repeats explode.
constexpr std::size_t kMaxLayers = 10'000;

// A scope. It numbers its unnamed entries, as nn.Sequential does.
struct Scope {
  std::string prefix;  // "layer1.0"; empty: the whole network
  std::int64_t entries = 0;

  [[nodiscard]] std::string full_name(const std::string& name) const;
};

// The full names of all results so far, and their slots.
class Names {
 public:
  // Returns false if the name is already taken.
  [[nodiscard]] bool add(const std::string& full_name, int slot);
  [[nodiscard]] bool contains(const std::string& full_name) const { return slots_.contains(full_name); }
  // Looks NAME up in the scope PREFIX, then in each scope around it.
  [[nodiscard]] std::optional<int> find(const std::string& prefix, const std::string& name) const;

 private:
  std::map<std::string, int> slots_;
};

// Returns TEXT with every {i} replaced by INDEX, or nullopt if there is an {i} but no INDEX.
[[nodiscard]] std::optional<std::string> with_index(const std::string& text, std::optional<std::int64_t> index);

// The recursion behind expand(). It works through the entries of "layers" and their scopes.
class Expander {
 public:
  // CACHE: see build_network_plan().
  Expander(const base::Reader& document, const Environment& model, schema::Mode mode,
           const std::optional<schema::KeyValueCache>& cache);

  // PLACE names the input for messages.
  void add_input(schema::NetworkInput input, Value value, const base::Reader& place);
  // Expands the whole network. Afterwards the graph is complete.
  void expand();
  [[nodiscard]] Graph take() { return std::move(graph_); }

 private:
  // The surroundings of an entry.
  struct Context {
    Scope* scope;
    const Environment* environment;
    int input;                          // the slot that the name `in` refers to
    std::optional<std::int64_t> index;  // the value of {i}; nullopt: no repeat around
    int depth;
  };

  // The keys that all kinds of entries have, read for one round of the entry's repeat.
  struct LayerEntry {
    base::Reader reader;
    std::optional<std::string> name;
    std::vector<int> inputs;
  };

  // Each of these functions returns the slot of the output.
  int expand_list(const base::Reader& list, const Context& context);
  int expand_entry(base::Reader reader, const Context& context, int previous);
  int expand_once(const base::Reader& reader, const Context& context, int previous);
  // Expands an auxiliary head, which nothing else reads. Without training it is left out. Returns PREVIOUS.
  int expand_auxiliary(base::Reader reader, const Context& context, int previous);
  int expand_group(LayerEntry& entry, const Context& context);
  int expand_block(LayerEntry& entry, const Context& context);
  int expand_layer(LayerEntry& entry, const Context& context);
  // Expands LIST, the entries of a group or block. If the group or block has a name, they get a separate scope.
  int expand_body(const base::Reader& list, const LayerEntry& entry, Context context);

  [[nodiscard]] static std::optional<std::string> read_name(base::Reader& reader, const Context& context);
  [[nodiscard]] std::vector<int> read_inputs(base::Reader& reader, const Context& context, int previous) const;
  [[nodiscard]] int find_input(const base::Reader& reader, const Context& context) const;
  // Returns the weight of the layer with the name at READER.
  [[nodiscard]] schema::NetworkTensor weight_of(const base::Reader& reader, const Context& context) const;
  [[nodiscard]] std::string block_name(const base::Reader& named);
  // NAMED is a block's name, or a list of names, which take turns in the rounds.
  [[nodiscard]] std::string block_of_round(const base::Reader& named, std::optional<std::int64_t> index);
  // Returns the entry's full name. It ends with the entry's own name or, without one, its number in the scope.
  [[nodiscard]] std::string claim_name(const LayerEntry& entry, const Context& context);
  // Returns the parameters for one use of BLOCK: those in "with" and, for the others, the block's defaults.
  [[nodiscard]] Environment bind(LayerEntry& entry, base::Reader& block, const std::string& name,
                                 const Context& context);
  int add_layer(const LayerEntry& entry, Layer layer, nlohmann::json inits);

  base::Reader document_;
  base::Reader blocks_;
  const Environment* model_;
  schema::Mode mode_;
  std::optional<schema::KeyValueCache> cache_;
  Graph graph_;
  std::set<std::string> tensor_names_;
  Names names_;
  std::vector<std::string> active_blocks_;
  std::set<std::string> used_blocks_;
};

// MODEL has the model's parameters. Throws Error(usage) for the first wrong entry.
[[nodiscard]] Graph expand(base::Reader document, const Environment& model, std::int64_t batch_size, schema::Mode mode,
                           const std::optional<schema::KeyValueCache>& cache = {});

}  // namespace mpsbench::model
