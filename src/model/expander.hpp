// The recursion behind expand(). It works through the entries of "layers" and their scopes.
#pragma once

#include "model/expand.hpp"
#include "model/names.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mpsbench::model {

class Expander {
 public:
  Expander(const base::Reader& document, const Environment& model, schema::Mode mode);

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
  int expand_group(LayerEntry& entry, const Context& context);
  int expand_block(LayerEntry& entry, const Context& context);
  int expand_layer(LayerEntry& entry, const Context& context);
  // Expands LIST, the entries of a group or block. If the group or block has a name, they get a separate
  // scope.
  int expand_body(const base::Reader& list, const LayerEntry& entry, Context context);

  [[nodiscard]] static std::optional<std::string> read_name(base::Reader& reader, const Context& context);
  [[nodiscard]] std::vector<int> read_inputs(base::Reader& reader, const Context& context, int previous) const;
  [[nodiscard]] int find_input(const base::Reader& reader, const Context& context) const;
  // Returns the entry's full name. It ends with the entry's own name or, without one, its number in the
  // scope.
  [[nodiscard]] std::string claim_name(const LayerEntry& entry, const Context& context);
  // Returns the parameters for one use of BLOCK: those in "with" and, for the others, the block's defaults.
  [[nodiscard]] Environment bind(LayerEntry& entry, base::Reader& block, const std::string& name,
                                 const Context& context);
  int add_layer(const LayerEntry& entry, Layer layer, nlohmann::json inits);

  base::Reader document_;
  std::optional<base::Reader> blocks_;
  const Environment* model_;
  schema::Mode mode_;
  Graph graph_;
  Names names_;
  std::vector<std::string> active_blocks_;
  std::set<std::string> used_blocks_;
};

}  // namespace mpsbench::model
