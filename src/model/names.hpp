// Names of layers, composed like those of a state dict, and what they stand for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::model {

// A place that numbers its unnamed entries, as nn.Sequential does.
struct Scope {
  std::string prefix;  // "layer1.0"; empty: the whole network
  std::int64_t entries = 0;

  [[nodiscard]] std::string full_name(const std::string& name) const;
};

// Full names of what has been computed so far, and their slots.
class Names {
 public:
  // False when the name is taken.
  [[nodiscard]] bool add(const std::string& full_name, int slot);
  [[nodiscard]] bool contains(const std::string& full_name) const { return slots_.contains(full_name); }
  // NAME as seen from the scope PREFIX: looked up in it, then in each scope around it.
  [[nodiscard]] std::optional<int> find(const std::string& prefix, const std::string& name) const;
  // A few names that can be used in the scope PREFIX, for suggestions.
  [[nodiscard]] std::vector<std::string> near(const std::string& prefix) const;

 private:
  std::map<std::string, int> slots_;
};

// TEXT with every {i} replaced; nullopt: there is an {i} but no INDEX.
[[nodiscard]] std::optional<std::string> with_index(const std::string& text,
                                                    std::optional<std::int64_t> index);

}  // namespace mpsbench::model
