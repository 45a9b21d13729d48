// The fronts of a run, with a fake worker instead of the one that connects them.
#include "supervise/front_orders.hpp"

#include "base/clock.hpp"
#include "supervise/support.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::supervise {
namespace {

using schema::Launch;
using schema::Status;

std::string action(const schema::Event& event) {
  return nlohmann::json{{"line", schema::to_line(event)}}.dump();
}

std::string from(std::int64_t rank, const schema::FrontMessage& message) {
  return action(schema::MessageEvent{rank, message});
}

// A worker that connects fronts does CONNECTING after its hello; all others do LAUNCH.
void set_scripts(const std::string& connecting, const std::string& launch) {
  tests::set_script(R"({"rules":[{"case":"rendezvous","actions":["hello",)" + connecting + R"(]},{"actions":)" +
                    launch + "}]}");
}

schema::RendezvousRequest request_of(std::int64_t rank) {
  schema::RendezvousRequest request;
  request.place = {.rank = rank, .ranks = 3, .address = "127.0.0.1", .port = 4321};
  return request;
}

Launch answer_of(Status status, const std::string& kind) {
  Launch launch;
  launch.status = status;
  if (status != Status::ok) launch.failure = {kind, "said by rank 1", ""};
  return launch;
}

// The first front has the second GPU, the second front only sees its own.
schema::DeviceId device_of(std::int64_t rank, schema::DeviceKind kind) {
  return schema::DeviceId(kind, kind == schema::DeviceKind::cuda && rank == 0 ? 1 : 0);
}

class Leading : public testing::Test {
 protected:
  // Runs launches with three ranks, in which this rank's worker does LAUNCH. CONNECTING comes when the first
  // one has started.
  std::vector<Launch> run(const std::string& connecting, const std::string& launch, int count = 1) {
    set_scripts(action(schema::MetEvent{"run", {}}) + R"(,{"sleep":1},)" + connecting + R"(,"hang")", launch);
    FrontLink link(tests::fake_worker(), request_of(0));
    schema::GroupPlace place = request_of(0).place;
    place.prefix = link.meet(interrupt_).prefix;
    LeadingFront front(link, place, [](schema::DeviceKind kind) { return device_of(0, kind); }, {"torchrun", 3, 1}, 2,
                       {{2, "xeon-3fa9"}});
    schema::LaunchRequest request = tests::request_for(tests::planned_case("net", 8));
    request.spec.ranks = 3;
    request.spec.device = device_;
    const double start = base::steady_seconds();
    std::vector<Launch> launches;
    for (int i = 0; i < count; ++i)
      launches.push_back(front.run_launch({tests::fake_worker(), {60, 0.2}, interrupt_}, request).launch);
    EXPECT_LT(base::steady_seconds() - start, 12);
    return launches;
  }

  static std::string answer(std::int64_t rank, Status status, const std::string& kind = "") {
    return from(rank, schema::LaunchAnswer{1, "cpu", answer_of(status, kind)});
  }

  schema::DeviceId device_ = "cpu";
  Interrupt interrupt_;
};

TEST_F(Leading, HasTheResultsOfAll) {
  device_ = "cuda";
  Launch told = answer_of(Status::ok, "");
  told.ranks = {{.device = "cuda", .device_name = "NVIDIA H100"}};
  told.sensors = {schema::sensor_record("gpu_energy", 30)};
  told.sensor_notes = {{"cpu_energy", "root only"}};
  const std::string good = answer(2, Status::ok) + "," + from(1, schema::LaunchAnswer{1, "cuda:3", std::move(told)});
  const Launch launch = run(good, R"(["normal"])").front();
  EXPECT_EQ(launch.status, Status::ok) << launch.failure->message;
  ASSERT_EQ(launch.ranks.size(), 3U);
  EXPECT_EQ(launch.ranks[0].device, schema::DeviceId("cuda:1"));
  EXPECT_EQ(launch.ranks[1].device, schema::DeviceId("cuda:3"));
  EXPECT_EQ(launch.ranks[2].rank, 2);
  EXPECT_EQ(launch.ranks[1].host, std::nullopt);
  EXPECT_EQ(launch.ranks[2].host, "xeon-3fa9");
  EXPECT_TRUE(launch.sensor_notes.contains("other_cpu_share"));
  EXPECT_EQ(launch.ranks[1].device_name, "NVIDIA H100");
  EXPECT_EQ(schema::sensor_value(launch.ranks[1].sensors, "gpu_energy"), 30);
  EXPECT_EQ(launch.ranks[1].sensor_notes.at("cpu_energy"), "root only");
  EXPECT_TRUE(launch.ranks[0].sensors.empty()) << "those of the launch";
}

TEST_F(Leading, EndsItsWorkerWhenAnotherRankFails) {
  const std::string bad = answer(1, Status::oom, "oom") + "," + answer(2, Status::interrupted, "peer");
  const Launch launch = run(bad, R"(["hello","hang"])").front();
  EXPECT_EQ(launch.status, Status::oom);
  EXPECT_EQ(launch.failure->message, "rank 1: said by rank 1");
  EXPECT_EQ(launch.ranks[0].failure->kind, "peer");
  EXPECT_EQ(launch.ranks[2].failure->kind, "peer");
}

TEST_F(Leading, StartsNoLaunchWithARankThatIsLost) {
  const std::string lost = answer(2, Status::ok) + "," + action(schema::LostEvent{1, "silent"});
  const std::vector<Launch> launches = run(lost, R"(["hello","hang"])", 2);
  EXPECT_EQ(launches[0].ranks.size(), 3U);
  EXPECT_TRUE(launches[1].ranks.empty());
  for (const Launch& launch : launches) {
    EXPECT_EQ(launch.status, Status::crashed);
    EXPECT_EQ(launch.failure->message, "rank 1: its mpsbench is lost: silent");
  }
}

TEST_F(Leading, BlamesTheRankThatFailedNotTheOneThatLostIt) {
  const std::string bad = answer(1, Status::crashed, "signal") + "," + answer(2, Status::interrupted, "peer");
  const std::string lost = R"(["hello",{"failure":{"status":"failed","kind":"lost_rank","message":"lost rank 1"}}])";
  const Launch launch = run(bad, lost).front();
  EXPECT_EQ(launch.failure->message, "rank 1: said by rank 1");
  EXPECT_EQ(launch.ranks[0].failure->message, "lost rank 1");
}

class Following : public testing::Test {
 protected:
  std::int64_t follow(const std::string& orders, const std::string& launch) {
    set_scripts(action(schema::MetEvent{"run", {}}) + "," + orders + R"(,"hang")", launch);
    FrontLink link(tests::fake_worker(), request_of(1));
    (void)link.meet(interrupt_);
    const auto own = [](schema::DeviceKind kind) { return device_of(1, kind); };
    return follow_orders(link, tests::fake_worker(), own, interrupt_);
  }

  static std::string launch_order() {
    schema::LaunchRequest request = tests::request_for(tests::planned_case("net", 8));
    request.spec.ranks = 3;
    request.group = {.ranks = 3, .address = "127.0.0.1", .port = 4321, .prefix = "run/launch/1"};
    return from(0, schema::LaunchOrder{1, 60, request});
  }

  Interrupt interrupt_;
};

TEST_F(Following, EndsWithTheCodeOfRankZero) {
  EXPECT_EQ(follow(from(0, schema::EndOrder{5}), R"(["normal"])"), 5);
}

TEST_F(Following, StopsItsWorker) {
  const double start = base::steady_seconds();
  const std::string orders =
      launch_order() + R"(,{"sleep":0.5},)" + from(0, schema::StopOrder{1}) + "," + from(0, schema::EndOrder{0});
  EXPECT_EQ(follow(orders, R"(["hello","hang"])"), 0);
  EXPECT_LT(base::steady_seconds() - start, 10);
}

TEST_F(Following, EndsWhenRankZeroIsLost) {
  const std::string orders = launch_order() + R"(,{"sleep":0.5},)" + action(schema::LostEvent{0, "silent"});
  EXPECT_EQ(tests::error_of(base::ErrorKind::incomplete, [&] { (void)follow(orders, R"(["hello","hang"])"); }),
            "rank 1 lost rank 0, which has the report: silent");
}

TEST(FrontLinkTest, SaysWhyThereIsNoMeeting) {
  Interrupt interrupt;
  const auto refusal = [&](const std::string& script) {
    set_scripts(script, "[]");
    return tests::usage_error_of([&] {
      FrontLink link(tests::fake_worker(), request_of(1));
      (void)link.meet(interrupt);
    });
  };
  EXPECT_EQ(refusal(R"({"failure":{"status":"failed","kind":"rendezvous","message":"no way"}})"), "no way");
  EXPECT_EQ(refusal(R"({"exit":7})"), "the process that connects the ranks ended with exit code 7");
  EXPECT_NE(refusal(R"({"line":"what?"})").find("does not keep to the protocol"), std::string::npos);
  EXPECT_EQ(tests::usage_error_of([&] { const FrontLink link("/no/such/worker", request_of(1)); }),
            "cannot start /no/such/worker: No such file or directory");
}

}  // namespace
}  // namespace mpsbench::supervise
