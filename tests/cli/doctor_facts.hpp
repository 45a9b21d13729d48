// Facts of good machines, and what the rules of doctor must say about facts.
#pragma once

#include "cli/commands/doctor_checks.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace mpsbench::cli {

using tests::contains;
using Level = Finding::Level;

// Returns a quiet machine with everything in order.
inline DoctorFacts good_facts() {
  DoctorFacts facts;
  facts.tool = {"mpsbench", "0.1.0", std::nullopt, "Release", "GNU 12.2.0"};
  facts.host.os = {"Debian GNU/Linux", "12", "6.1.0", "x86_64"};
  facts.host.cpu.logical_cores = 4;
  facts.host.cpu.governor = "performance";
  facts.host.load_average = 0.1;
  facts.host.swap_used_bytes = 0;
  facts.host.disk_free_bytes = std::int64_t{100} << 30;
  facts.host.power.source = "ac";
  facts.host.power.mode = "normal";
  schema::LibtorchInfo libtorch;
  libtorch.version = "2.13.0+cpu";
  libtorch.architecture = "x86_64";
  libtorch.blas = "mkl";
  libtorch.size_bytes = std::int64_t{1} << 30;
  libtorch.openmp_runtimes = {"libgomp.so.1"};
  libtorch.worker_build_type = "Release";
  facts.host.libtorch = libtorch;
  facts.compiler = "/env/bin/python3";
  facts.usable_cores = 2;
  facts.threads = 2;
  facts.devices = {{.device = "cpu", .name = "AMD EPYC", .built_in = true, .usable = true},
                   {.device = "mps", .name = "Apple GPU", .reason = "not built in"}};
  facts.sensors = {"cpu_clock", "cpu_energy"};
  facts.missing_sensors = {{"cpu_temperature", "none is visible", ""}};
  facts.gpus = {{"NVIDIA H200", 0, 600'000'000, 0.0}};
  return facts;
}

inline Finding finding(const DoctorFacts& facts, const std::string& subject) {
  for (const Finding& one : examine(facts)) {
    if (one.subject == subject) return one;
  }
  ADD_FAILURE() << "nothing is said about " << subject;
  return {};
}

// A Mac on which MPS works.
inline DoctorFacts good_mac() {
  DoctorFacts facts = good_facts();
  facts.host.os = {"macOS", "15.1", "24.1.0", "arm64"};
  facts.devices[1].built_in = facts.devices[1].usable = true;
  return facts;
}

inline bool is_quiet(const Finding& finding) {
  return finding.level == Level::good || finding.level == Level::note;
}

// What examine() must say about SUBJECT on FACTS. Warnings and problems have a cure, and no other rule fires.
inline void expect_finding(const DoctorFacts& facts, const std::string& subject, Level level,
                           const std::string& part = "") {
  const Finding found = finding(facts, subject);
  EXPECT_EQ(found.level, level) << subject << ": " << found.message;
  EXPECT_TRUE(contains(found.message, part)) << subject << ": " << found.message;
  EXPECT_EQ(found.cure.empty(), is_quiet(found)) << subject << ": " << found.cure;
  if (is_quiet(found)) return;
  for (const Finding& other : examine(facts))
    EXPECT_TRUE(other.subject == subject || is_quiet(other)) << other.subject << ": " << other.message;
}

// A rule: what it says of good facts after a change.
struct Rule {
  const char* subject;
  Level level;
  const char* part;
  void (*change)(DoctorFacts& facts) = [](DoctorFacts&) {};
};

template <std::size_t N>
void expect_rules(const DoctorFacts& good, const Rule (&rules)[N]) {
  for (const auto& [subject, level, part, change] : rules) {
    DoctorFacts facts = good;
    change(facts);
    expect_finding(facts, subject, level, part);
  }
}

}  // namespace mpsbench::cli
