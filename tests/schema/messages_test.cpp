#include "schema/messages.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <limits>

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::json;
using tests::usage_error_of;
using tests::with;
using tests::without;

LaunchRequest full_request() {
  return {{},
          4711,
          tests::full_spec(),
          tests::full_plan(),
          tests::full_measure(),
          true,
          true,
          "/w.safetensors",
          "/data",
          "/data/vocab.txt",
          "/d.safetensors",
          PackageFile{"/p.pt2", "ab12", "/scratch", 12.5},
          PackageFile{"/q.pt2", "cd34", "/scratch", 6},
          GroupPlace{1, 2, "127.0.0.1", 4321, 60, "run/launch/7"}};
}

FrontFacts full_facts(std::int64_t rank) {
  return {rank,
          "2.13.0",
          "node1",
          "epyc-3fa9",
          2,
          "0.1.0",
          "ab12",
          std::vector<CaseFacts>{
              {.id = "mlp/train", .weights = "c0de", .data = {{"a.bin", "beef"}}, .options = {{"/repeats", 3}}}}};
}

std::vector<Event> every_event() {
  ProbeEvent probe;
  probe.devices = {{.device = "cpu", .name = "Apple M1 Max", .built_in = true, .usable = true},
                   {"cuda:1", "NVIDIA H200", true, false, "busy", 150'000'000'000, 1, "9.0"}};
  ProbeEvent told = probe;
  told.threads = {3, "0,2-3"};
  told.tool = {"mpsbench", "0.1.0", std::nullopt, "Release", "GNU 12.2.0"};
  return {HelloEvent{{}, tests::full_host().libtorch.value()},
          PhaseEvent{Phase::warmup},
          ProgressEvent{12, 0.125, 0.02, 2.5},
          ProgressEvent{0, 0, std::nullopt, std::nullopt},
          ResultEvent{tests::full_launch()},
          FailureEvent{Status::oom, {"oom", "not enough memory", "DefaultCPUAllocator"}},
          probe,
          GpuEvent{"0000:3B:00.0"},
          told,
          MetEvent{"mpsbench/ab12", {full_facts(0), full_facts(1)}},
          MessageEvent{1, EndAnswer{2}},
          LostEvent{1, "silent"},
          PartEvent{tests::full_launch()}};
}

std::string event_refusal(const std::string& line) {
  return usage_error_of([&] { (void)parse_event(line); });
}
std::string request_refusal(const std::string& line) {
  return usage_error_of([&] { (void)parse_request(line); });
}

template <typename Message>
void expect_lines(Message (*parse)(const std::string&), const std::vector<Message>& messages) {
  for (const Message& message : messages) {
    const std::string line = to_line(message);
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    const Message back = parse(line);
    EXPECT_EQ(back.index(), message.index()) << line;
    EXPECT_EQ(json::parse(to_line(back)), json::parse(line));
  }
}

TEST(Messages, GoThroughALine) {
  LaunchRequest plain = full_request();
  plain.weights.reset();
  plain.dump_first_step.reset();
  plain.package.reset();
  plain.check_package.reset();
  plain.group.reset();
  const RendezvousRequest rendezvous{{}, 1, GroupPlace{1, 2, "node1", 4321, 60}, true, full_facts(1)};
  expect_lines<Request>(parse_request, {full_request(), plain, ProbeRequest{{}, 1, 4}, rendezvous});
  expect_lines<FrontMessage>(parse_front_message,
                             {Admission{"rank 1 differs", 2}, LaunchOrder{3, 600, full_request()}, StopOrder{3},
                              EndOrder{5}, LaunchAnswer{3, "cuda:1", tests::full_launch()}, EndAnswer{2}});
  expect_lines<Event>(parse_event, every_event());
}

TEST(Requests, CarryTheirFields) {
  const auto launch = std::get<LaunchRequest>(parse_request(to_line(Request(full_request()))));
  EXPECT_EQ(launch.front_pid, 4711);
  EXPECT_EQ(launch.weights, "/w.safetensors");
  EXPECT_EQ(launch.network_plan.nodes.size(), 1U);
  EXPECT_EQ(launch.package.value().compile_seconds, 12.5);
  EXPECT_EQ(launch.check_package.value().path, "/q.pt2");
  EXPECT_EQ(launch.group, (GroupPlace{1, 2, "127.0.0.1", 4321, 60, "run/launch/7"}));
}

TEST(FrontMessages, RefuseWhatIsUnknown) {
  EXPECT_EQ(tests::usage_error_of([] { (void)parse_front_message(R"({"message":"dance"})"); }),
            "message: $.message: unknown message \"dance\"");
  EXPECT_NE(tests::usage_error_of([] { (void)parse_front_message(R"({"message":"ended","exit_code":0,"word":1})"); }),
            "");
}

TEST(Events, CarryBadUtf8AndLineBreaksInTails) {
  const std::string line = to_line(Event(FailureEvent{Status::crashed, {"signal", "a\nb", "tail \xFF\xC3"}}));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto back = std::get<FailureEvent>(parse_event(line));
  EXPECT_EQ(back.failure.message, "a\nb");
  EXPECT_EQ(back.failure.detail, "tail \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Events, SayNullForALossThatIsNotFinite) {
  const ProgressEvent event{1, 0.5, 0.1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(std::get<ProgressEvent>(parse_event(to_line(Event(event)))).loss);
}

TEST(Messages, RefuseAnotherVersion) {
  const json hello = json::parse(to_line(every_event()[0]));
  EXPECT_EQ(event_refusal(with(hello, "/protocol", 5).dump()),
            "event: $.protocol: mpsbench and its worker are different versions (protocol 5, expected 7); "
            "build both again");
  EXPECT_TRUE(contains(event_refusal(with(hello, "/protocol", "1").dump()), "$.protocol: expected a whole number"));
  EXPECT_TRUE(contains(event_refusal(without(hello, "/protocol").dump()), "'protocol' is missing"));
  const json probe = json::parse(to_line(Request(ProbeRequest{})));
  EXPECT_TRUE(
      contains(request_refusal(with(probe, "/protocol", 0).dump()), "different versions (protocol 0, expected 7)"));
}

TEST(Messages, RefuseAnUnknownKeyWhereverItIs) {
  for (const Event& event : every_event()) {
    EXPECT_TRUE(
        contains(event_refusal(with(json::parse(to_line(event)), "/surprise", 1).dump()), "unknown key 'surprise'"))
        << to_line(event);
  }
  const json probe = json::parse(to_line(every_event()[6]));
  EXPECT_TRUE(contains(event_refusal(with(probe, "/devices/0/surprise", 1).dump()), "$.devices[0]: unknown key"));
  const json launch = json::parse(to_line(Request(full_request())));
  EXPECT_TRUE(contains(request_refusal(with(launch, "/surprise", 1).dump()), "unknown key 'surprise'"));
  EXPECT_TRUE(contains(request_refusal(with(launch, "/spec/surprise", 1).dump()), "$.spec: unknown key"));
}

TEST(Messages, RefuseAMissingKey) {
  for (const Event& event : every_event()) {
    const json good = json::parse(to_line(event));
    for (const auto& [key, unused] : good.items()) {
      EXPECT_TRUE(contains(event_refusal(without(good, "/" + key).dump()), " is missing")) << key << to_line(event);
    }
  }
  const json good = json::parse(to_line(Request(full_request())));
  for (const auto& [key, unused] : good.items()) {
    EXPECT_TRUE(contains(request_refusal(without(good, "/" + key).dump()), " is missing")) << key;
  }
}

TEST(Messages, RefuseGarbage) {
  for (const char* line : {"", "hello", "{", "[]", "null", "42", "{}", "\xFF", "{\"event\": 1}", "{\"event\": \"bye\"}",
                           "{\"event\": \"phase\"}", "{\"event\": \"phase\", \"phase\": 3}",
                           "{\"event\": \"phase\", \"phase\": \"warmup\"} trailing",
                           "{\"event\": \"phase\", \"event\": \"phase\", \"phase\": \"warmup\"}"}) {
    EXPECT_EQ(event_refusal(line).rfind("event: ", 0), 0U) << line;
  }
  for (const char* line :
       {"", "[]", "{}", "{\"request\": \"launch\", \"protocol\": 1}", "{\"request\": \"stop\", \"protocol\": 1}",
        "{\"request\": 1, \"protocol\": 1}", "{\"request\": \"probe\", \"protocol\": 1, \"front_pid\": -1}",
        "{\"request\": \"probe\", \"protocol\": 1, \"front_pid\": 99999999999}"}) {
    EXPECT_EQ(request_refusal(line).rfind("request: ", 0), 0U) << line;
  }
}

}  // namespace
}  // namespace mpsbench::schema
