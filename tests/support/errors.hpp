// Returns the message of the error that an action must throw.
#pragma once

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::tests {

// If ACTION throws no base::Error of KIND, the test fails, and the result is empty.
template <typename Action>
std::string error_of(base::ErrorKind kind, Action&& action) {
  try {
    action();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

template <typename Action>
std::string usage_error_of(Action&& action) {
  return error_of(base::ErrorKind::usage, std::forward<Action>(action));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace mpsbench::tests
