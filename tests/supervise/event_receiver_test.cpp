#include "supervise/event_receiver.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::supervise {
namespace {

std::string hello() {
  return schema::to_line(schema::HelloEvent{});
}
std::string result() {
  return schema::to_line(schema::ResultEvent{});
}

struct Recorder : LaunchListener {
  std::vector<std::string> received;
  void on_hello(const schema::LibtorchInfo& /*libtorch*/) override { received.emplace_back("hello"); }
  void on_phase(schema::Phase phase) override { received.push_back(to_string(phase)); }
  void on_progress(const schema::ProgressEvent& progress) override {
    received.push_back(std::to_string(progress.samples));
  }
};

// Returns the error of the last of LINES. Those before it must have none.
std::string protocol_error(const std::vector<std::string>& lines) {
  Recorder recorder;
  EventReceiver session(recorder);
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(session.on_line(lines[i]), i + 1 < lines.size()) << lines[i];
  return session.received().protocol_error;
}

TEST(EventReceiver, PassesOnWhatTheWorkerSays) {
  Recorder recorder;
  EventReceiver session(recorder);
  EXPECT_TRUE(session.on_line(hello()));
  EXPECT_TRUE(session.on_line(schema::to_line(schema::PhaseEvent{schema::Phase::measure})));
  EXPECT_TRUE(session.on_line(schema::to_line(schema::ProgressEvent{5, 0.1, std::nullopt, std::nullopt})));
  EXPECT_FALSE(session.received().verdict());
  EXPECT_TRUE(session.on_line(result()));
  EXPECT_TRUE(session.received().verdict());
  EXPECT_EQ(session.received().phase, schema::Phase::measure);
  EXPECT_EQ(recorder.received, (std::vector<std::string>{"hello", "measure", "5"}));
}

TEST(EventReceiver, RefusesAnythingBeforeHello) {
  EXPECT_EQ(protocol_error({result()}), "the worker sent an event before its hello event");
}

TEST(EventReceiver, RefusesASecondHello) {
  EXPECT_EQ(protocol_error({hello(), hello()}), "the worker sent two hello events");
}

TEST(EventReceiver, RefusesAnythingAfterTheVerdict) {
  EXPECT_EQ(protocol_error({hello(), result(), result()}), "the worker sent more events after its last event");
}

TEST(EventReceiver, ShowsTheBeginningOfGarbageInPrintableLetters) {
  const std::string error = protocol_error({hello(), "\x1b[31mgarbage" + std::string(1000, 'x')});
  EXPECT_EQ(error.rfind("the worker sent \"?[31mgarbagexxx", 0), 0U) << error;
  EXPECT_LT(error.size(), 300U);
}

TEST(EventReceiver, NamesAProtocolOfAnotherVersion) {
  const std::string error = protocol_error({R"({"event":"hello","protocol":99,"libtorch":{}})"});
  EXPECT_NE(error.find("different versions"), std::string::npos) << error;
}

TEST(EventReceiver, IsContentWithAGoodResultOnly) {
  schema::ResultEvent bad;
  bad.launch.status = schema::Status::failed;
  bad.launch.failure = schema::Failure{"kind", "message", ""};
  const auto ended_well = [](const std::vector<std::string>& lines) {
    LaunchListener nobody;
    EventReceiver session(nobody);
    for (const std::string& line : lines) session.on_line(line);
    return session.reports_success();
  };
  EXPECT_TRUE(ended_well({hello(), result()}));
  EXPECT_FALSE(ended_well({hello()}));
  EXPECT_FALSE(ended_well({hello(), schema::to_line(bad)}));
  EXPECT_FALSE(ended_well({hello(), result(), result()}));
  const schema::FailureEvent failure{schema::Status::oom, {"oom", "needs 14 GiB", ""}};
  EXPECT_FALSE(ended_well({hello(), schema::to_line(failure)}));
}

}  // namespace
}  // namespace mpsbench::supervise
