#include "device/kinds.hpp"

#include "device/cuda_driver.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::device {
namespace {

PlatformFacts linux_with_gpu() {
  PlatformFacts facts;
  facts.cuda_built = true;
  facts.cuda_devices = 1;
  facts.cuda_needed = "13.0";
  facts.cuda_of_driver = "13.0";
  return facts;
}

PlatformFacts mac() {
  PlatformFacts facts;
  facts.macos = true;
  facts.system_version = "15.1";
  facts.arm64_process = true;
  facts.mps_built = true;
  facts.mps_available = true;
  return facts;
}

struct FactsRow {
  PlatformFacts (*machine)();
  void (*change)(PlatformFacts&);
  std::string reason;
};

void expect_reasons(std::string (*why)(const PlatformFacts&), const std::string& lead,
                    const std::vector<FactsRow>& rows) {
  for (const auto& [machine, change, reason] : rows) {
    PlatformFacts facts = machine();
    change(facts);
    EXPECT_EQ(why(facts), lead + reason);
  }
}

void keep(PlatformFacts& /*facts*/) {}

TEST(Availability, OfCudaHasAReason) {
  EXPECT_EQ(why_no_cuda(linux_with_gpu()), "");
  const std::vector<FactsRow> rows = {
      {mac, keep, "there is no CUDA on a Mac; use --device mps"},
      {linux_with_gpu, [](PlatformFacts& facts) { facts.cuda_built = false; },
       "this LibTorch is a CPU-only build; install a CUDA build, and build mpsbench with it unless pip installed "
       "mpsbench"},
      {linux_with_gpu, [](PlatformFacts& facts) { facts.cuda_of_driver.reset(); },
       "no NVIDIA driver is loaded; install one, or use --device cpu"},
      {linux_with_gpu,
       [](PlatformFacts& facts) {
         facts.cuda_devices = 0;
         facts.cuda_of_driver = "12.10";
       },
       "the NVIDIA driver supports CUDA 12.10, but this LibTorch needs 13.0; update the driver"},
      {linux_with_gpu, [](PlatformFacts& facts) { facts.cuda_devices = 0; },
       "no GPU is visible; see nvidia-smi and CUDA_VISIBLE_DEVICES"}};
  expect_reasons(why_no_cuda, "CUDA device not found: ", rows);
}

TEST(Availability, OfMpsHasAllReasonsAtOnce) {
  const std::string intel = "LibTorch does not support the GPUs of Intel Macs; use --device cpu";
  EXPECT_EQ(why_no_mps(mac()), "");
  const std::vector<FactsRow> rows = {
      {linux_with_gpu, keep, "only Macs have MPS; use --device cuda or cpu"},
      {mac, [](PlatformFacts& facts) { facts.arm64_process = false; }, intel},
      {mac,
       [](PlatformFacts& facts) {
         facts.arm64_process = false;
         facts.translated = true;
       },
       "this is an x86-64 process under Rosetta; build and run mpsbench as arm64 (`arch -arm64`, with an arm64 Python "
       "or LibTorch; docs/mac.md says how to keep conda at arm64)"},
      {mac,
       [](PlatformFacts& facts) {
         facts.arm64_process = false;
         facts.system_version = "11.8";
       },
       intel + "; also, this LibTorch's MPS needs macOS 14.0 or later, but this is 11.8; update macOS"},
      {mac, [](PlatformFacts& facts) { facts.mps_built = false; },
       "this LibTorch is built without MPS; install PyTorch's build for macOS on arm64"},
      {mac, [](PlatformFacts& facts) { facts.mps_available = false; },
       "LibTorch finds no GPU; if this is a virtual machine, give it one, or use --device cpu"}};
  expect_reasons(why_no_mps, "MPS device not found: ", rows);
}

TEST(Availability, MacosVersionsAreNumbers) {
  PlatformFacts facts = mac();
  facts.least_macos = "14.2";
  for (const char* version : {"14.2", "14.2.1", "14.10", "15", "26.0"}) {
    facts.system_version = version;
    EXPECT_EQ(why_no_mps(facts), "") << version;
  }
  for (const char* version : {"14.1.9", "14", "13.10", "9.9", ""}) {
    facts.system_version = version;
    EXPECT_EQ(why_no_mps(facts), "MPS device not found: this LibTorch's MPS needs macOS 14.2 or later, but this is " +
                                     std::string(version) + "; update macOS");
  }
}

TEST(Precisions, Tf32IsOfCudaAloneAndEveryDeviceHasTheOthers) {
  using schema::Precision;
  for (const schema::DeviceKindRow& kind : schema::ClosedSet<schema::DeviceKind>::kRows) {
    for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16})
      EXPECT_NO_THROW(require_precision(kind.value, precision)) << kind.name << to_string(precision);
    if (kind.value == schema::DeviceKind::cuda) continue;
    EXPECT_EQ(tests::error_of(base::ErrorKind::no_device, [&] { require_precision(kind.value, Precision::tf32); }),
              "only NVIDIA's GPUs compute in tf32; use --precision fp32 on " + std::string(kind.name));
  }
  EXPECT_NO_THROW(require_precision(schema::DeviceKind::cuda, Precision::tf32));
}

TEST(Availability, FactsOfThisProcessAreConsistent) {
  const PlatformFacts facts = platform_facts();
  EXPECT_TRUE(facts.cuda_built || facts.cuda_devices == 0);
  EXPECT_TRUE(facts.macos || !facts.mps_available);
}

TEST(Kinds, HaveARowEachInTheOrderOfTheSet) {
  for (const schema::DeviceKindRow& kind : schema::ClosedSet<schema::DeviceKind>::kRows)
    EXPECT_EQ(kind_row(kind.value).kind, kind.value) << kind.name;
}

TEST(CudaDriver, VersionsReadAsPeopleWriteThem) {
  EXPECT_EQ(cuda_version_text(13000), "13.0");
  EXPECT_EQ(cuda_version_text(12010), "12.1");
  EXPECT_EQ(cuda_version_text(12100), "12.10");
}

}  // namespace
}  // namespace mpsbench::device
