#include "schema/launch_part.hpp"

#include "schema/samples.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

Launch launch_with(Status status) {
  Launch launch;
  launch.status = status;
  return launch;
}

TEST(LaunchParts, AddUpToTheLaunch) {
  const Launch last = tests::full_launch();
  Launch growing = last;
  growing.samples_seconds.resize(1);
  growing.losses.clear();
  growing.epochs.clear();
  growing.first_step_seconds.reset();
  LaunchCutter cutter;
  Launch sum;
  add_part(sum, cutter.next_part(growing, false));
  EXPECT_EQ(to_json(sum), to_json(growing));
  add_part(sum, cutter.next_part(growing, false));
  EXPECT_EQ(to_json(sum), to_json(growing)) << "nothing was added";
  const Launch part = cutter.next_part(last, false);
  EXPECT_EQ(part.samples_seconds.size(), last.samples_seconds.size() - 1);
  add_part(sum, part);
  EXPECT_EQ(to_json(sum), to_json(last));
}

TEST(LaunchParts, LeaveOutASampleThatMayChange) {
  LaunchCutter cutter;
  Launch launch;
  Launch sum;
  for (const double sample : {1.0, 2.0, 3.0}) {
    launch.samples_seconds.push_back(sample + 0.5);
    add_part(sum, cutter.next_part(launch, true));
    launch.samples_seconds.back() = sample;
  }
  EXPECT_EQ(sum.samples_seconds, (std::vector<double>{1, 2}));
}

TEST(AgreementCheck, AgreesUpToItsLimit) {
  EXPECT_TRUE(agrees({Reference::cpu, Compared::loss, 0.5, 0.5}));
  EXPECT_FALSE(agrees({Reference::cpu, Compared::loss, 0.51, 0.5}));
  EXPECT_FALSE(agrees({Reference::cpu, Compared::loss, std::nullopt, 0.5}));
}

TEST(Counts, WhatWasCutShortAfterEnough) {
  Launch launch;
  launch.samples_seconds.assign(3, 1.0);
  for (const Status status : {Status::interrupted, Status::timeout, Status::crashed, Status::oom}) {
    launch.status = status;
    launch.failure = Failure{"signal", "", ""};
    launch.unmet.clear();
    launch.epochs.clear();
    note_few_samples(launch, 3);
    EXPECT_TRUE(counts(launch)) << to_string(status);
    note_few_samples(launch, 4);
    EXPECT_FALSE(counts(launch)) << to_string(status);
    launch.epochs.push_back({1, 10, 100});
    EXPECT_TRUE(counts(launch)) << "a whole epoch: " << to_string(status);
  }
  EXPECT_FALSE(counts(launch_with(Status::interrupted)));
  EXPECT_EQ(counted(std::vector{Launch{}, launch, launch_with(Status::timeout)}).size(), 2U);
}

TEST(Counts, NothingThatIsWrong) {
  Launch launch;
  launch.samples_seconds.assign(100, 1.0);
  for (const Status status : {Status::failed, Status::unsupported, Status::skipped}) {
    launch.status = status;
    EXPECT_FALSE(counts(launch)) << to_string(status);
  }
  launch.status = Status::failed;
  launch.failure = Failure{kLostRank, "", ""};
  EXPECT_TRUE(counts(launch)) << "another rank was lost";
  launch.status = Status::crashed;
  launch.failure = Failure{kProtocolFailure, "", ""};
  EXPECT_FALSE(counts(launch));
}

}  // namespace
}  // namespace mpsbench::schema
