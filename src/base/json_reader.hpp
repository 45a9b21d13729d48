// Checked access to parsed JSON. Every getter checks type and range. Each reader has its path
// ("$.layers[2].padding"), and done() refuses keys that were never read. All errors are Error(usage): "FILE:
// PATH: what is wrong".
#pragma once

#include "base/error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::base {

class ReaderItems;

inline constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();

class Reader {
 public:
  // VALUE must outlive the reader. FILE names the document in messages.
  Reader(const nlohmann::json& value, std::string file, std::string path = "$");

  [[nodiscard]] const nlohmann::json& value() const { return *value_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& file() const { return file_; }

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

  // Only for arrays.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Reader item(std::size_t index) const;
  // Only for range-based loops. Each item's reader is made when the loop reaches it.
  [[nodiscard]] ReaderItems items() const;

  // Only for scalars. Integers must be JSON integers within the bounds; numbers must be finite.
  [[nodiscard]] std::string string() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] double number(double min, double max) const;
  [[nodiscard]] std::int64_t integer(std::int64_t min, std::int64_t max = kLargestInteger) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::int64_t min,
                                                   std::int64_t max = kLargestInteger) const;
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] std::vector<std::string> strings() const;

 private:
  void require(bool ok, std::string_view expected) const;

  const nlohmann::json* value_;
  std::string file_;
  std::string path_;
  std::set<std::string, std::less<>> known_;
};

// Makes one reader at a time, so a list of millions of items needs no more memory than a short one.
class ReaderItems {
 public:
  class Iterator {
   public:
    Iterator(const Reader& list, std::size_t index) : list_(&list), index_(index) {}
    Reader operator*() const { return list_->item(index_); }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const Reader* list_;
    std::size_t index_;
  };

  explicit ReaderItems(Reader list) : list_(std::move(list)), size_(list_.size()) {}
  [[nodiscard]] Iterator begin() const { return {list_, 0}; }
  [[nodiscard]] Iterator end() const { return {list_, size_}; }

 private:
  Reader list_;
  std::size_t size_;
};

// Returns the candidate with the least edit distance to WORD, ignoring case; nullopt: none is like a typo.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

// Returns the candidates that begin with WORD, ignoring case, the shortest first; at most four.
[[nodiscard]] std::vector<std::string> beginning_with(std::string_view word,
                                                      const std::vector<std::string>& candidates);

// Returns " (did you mean 'x'?)" with the candidates that begin with WORD, otherwise with the nearest one, or
// an empty text if there is none.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mpsbench::base
