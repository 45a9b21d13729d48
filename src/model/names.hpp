// Full names of layers, composed like the names in a state dict, and the slots that they refer to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::model {

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
  // Returns a few names that are visible in the scope PREFIX, for suggestions.
  [[nodiscard]] std::vector<std::string> near(const std::string& prefix) const;

 private:
  std::map<std::string, int> slots_;
};

// Returns TEXT with every {i} replaced by INDEX, or nullopt if there is an {i} but no INDEX.
[[nodiscard]] std::optional<std::string> with_index(const std::string& text, std::optional<std::int64_t> index);

}  // namespace mpsbench::model
