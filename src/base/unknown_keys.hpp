// What reading does with keys that this version does not know.
#pragma once

#include <cstddef>
#include <string>

namespace mpsbench::base {

// While one exists, readers of its thread count unknown keys instead of refusing them. Files of a newer
// version may have such keys.
class UnknownKeys {
 public:
  UnknownKeys();
  ~UnknownKeys();
  UnknownKeys(const UnknownKeys&) = delete;
  UnknownKeys& operator=(const UnknownKeys&) = delete;

  // Returns false if unknown keys are to be refused. PATH is the key's, as in "$.host.name".
  static bool note(const std::string& path);

  // Returns "FILE is of a newer version of mpsbench: 3 keys are ignored, such as $.host.rack", or an empty
  // text if all keys were known.
  [[nodiscard]] std::string words(const std::string& file) const;

 private:
  UnknownKeys* outer_;
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace mpsbench::base
