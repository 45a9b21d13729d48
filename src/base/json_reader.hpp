// Checked access to parsed JSON. Every getter checks type and range. Each reader has its path
// ("$.layers[2].padding"), and done() refuses keys that were never read. All errors are Error(usage): "FILE:
// PATH: what is wrong".
#pragma once

#include "base/error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

inline constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();

class Reader {
 public:
  // VALUE must outlive the reader. FILE names the document in messages.
  Reader(const nlohmann::json& value, std::string file, std::string path = "$");

  [[nodiscard]] const nlohmann::json& value() const { return *value_; }
  [[nodiscard]] std::string path() const;
  [[nodiscard]] const std::string& file() const { return *place_->file; }

  // Returns an error at this place. MESSAGE contains neither file nor path.
  [[nodiscard]] Error error(const std::string& message) const;

  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_null() const;

  // Only for objects. at() throws if the key is missing; find() returns nullopt if it is missing or null.
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Reader at(std::string_view key);
  [[nodiscard]] std::optional<Reader> find(std::string_view key);
  [[nodiscard]] std::vector<std::string> keys() const;
  // Marks KEY as known without reading it.
  void ignore(std::string_view key);
  // Throws for the first key that was never asked for. The message suggests the nearest known key.
  void done() const;
  // Throws for KEY of the object at PATH in FILE, which is not among the KNOWN ones, or notes it
  // (UnknownKeys).
  static void refuse_unknown(const std::string& file, const std::string& path, std::string_view key,
                             const std::vector<std::string>& known);

  // Only for arrays.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Reader item(std::size_t index) const;
  // Makes each item's reader when a loop reaches it, so a list of millions needs no more memory than a short one.
  [[nodiscard]] auto items() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([list = *this](std::size_t index) { return list.item(index); });
  }

  // Only for scalars. Integers must be JSON integers within the bounds; numbers must be finite.
  [[nodiscard]] std::string string() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] double number(double min, double max) const;
  [[nodiscard]] std::int64_t integer(std::int64_t min, std::int64_t max = kLargestInteger) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::int64_t min, std::int64_t max = kLargestInteger) const;
  [[nodiscard]] std::vector<double> numbers() const;

 private:
  // Where the value stands. Its path is made only for messages, because a report has millions of values.
  struct Place {
    std::shared_ptr<const Place> parent{};  // null: the root
    std::shared_ptr<const std::string> file{};
    std::string text{};      // of the root: its path
    std::string_view key{};  // of a member
    std::size_t index = 0;   // of an item
  };

  Reader(const nlohmann::json& value, std::shared_ptr<const Place> place) : value_(&value), place_(std::move(place)) {}
  [[nodiscard]] static std::string path_of(const Place& place);
  void require(bool ok, std::string_view expected) const;

  const nlohmann::json* value_;
  std::shared_ptr<const Place> place_;
  std::vector<std::string_view> found_;  // keys that were asked for, as they stand in the document
  std::vector<std::string> absent_;      // keys that were asked for, but are not there
};

// Returns " (did you mean 'x'?)" with the candidates that begin with WORD (the shortest four), otherwise with the one
// of least edit distance if that may be a typo, both ignoring case, or an empty text if there is none.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mpsbench::base
