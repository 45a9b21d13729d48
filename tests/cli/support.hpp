// What the tests of cli/ share: whole commands in this process, and a folder to be in.
#pragma once

#include "cli/main.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::tests {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

// Runs ACTION with both streams caught; CODE is what it returns.
template <typename Action>
Outcome caught(Action&& action) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  try {
    outcome.code = static_cast<int>(action());
  } catch (const base::Error& error) {
    ADD_FAILURE() << error.what();
  }
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

// `mpsbench WORDS`.
inline Outcome mpsbench(std::vector<std::string> words) {
  words.insert(words.begin(), "mpsbench");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return caught([&] { return cli::run(static_cast<int>(words.size()), argv.data()); });
}

// `mpsbench WORDS` must fail with CODE, one line on stderr and nothing on stdout. Gives the line.
inline std::string failure(int code, const std::vector<std::string>& words) {
  const Outcome outcome = mpsbench(words);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.find('\n') + 1, outcome.err.size()) << outcome.err;
  return outcome.err;
}

// A scratch folder that is the current one until the end.
class CurrentScratch : public Scratch {
 public:
  CurrentScratch() : before_(std::filesystem::current_path()) { std::filesystem::current_path(root()); }
  ~CurrentScratch() { std::filesystem::current_path(before_); }
  CurrentScratch(const CurrentScratch&) = delete;
  CurrentScratch& operator=(const CurrentScratch&) = delete;

 private:
  std::filesystem::path before_;
};

}  // namespace mpsbench::tests
