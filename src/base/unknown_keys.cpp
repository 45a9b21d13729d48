#include "base/unknown_keys.hpp"

#include <utility>

namespace mpsbench::base {
namespace {

thread_local UnknownKeys* innermost_unknown_keys = nullptr;

}  // namespace

UnknownKeys::UnknownKeys() : outer_(std::exchange(innermost_unknown_keys, this)) {}

UnknownKeys::~UnknownKeys() {
  innermost_unknown_keys = outer_;
}

bool UnknownKeys::note(const std::string& path) {
  if (innermost_unknown_keys == nullptr) return false;
  if (innermost_unknown_keys->count_++ == 0) innermost_unknown_keys->first_ = path;
  return true;
}

std::string UnknownKeys::words(const std::string& file) const {
  if (count_ == 0) return "";
  return file + " is of a newer version of mpsbench: " +
         (count_ == 1 ? "the key " + first_ + " is ignored"
                      : std::to_string(count_) + " keys are ignored, such as " + first_);
}

}  // namespace mpsbench::base
