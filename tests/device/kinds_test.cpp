#include "device/kinds.hpp"

#include <gtest/gtest.h>

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

TEST(Availability, OfAGoodMachine) {
  EXPECT_EQ(why_no_cuda(linux_with_gpu()), "");
  EXPECT_EQ(why_no_mps(mac()), "");
}

TEST(Availability, NoCudaOnAMac) {
  EXPECT_EQ(why_no_cuda(mac()), "CUDA device not found: there is no CUDA on a Mac; use --device mps");
}

TEST(Availability, ALibtorchForTheCpu) {
  PlatformFacts facts = linux_with_gpu();
  facts.cuda_built = false;
  EXPECT_EQ(why_no_cuda(facts),
            "CUDA device not found: this LibTorch is a CPU-only build; install a CUDA build, and build mpsbench "
            "with it unless pip installed mpsbench");
}

TEST(Availability, NoDriver) {
  PlatformFacts facts = linux_with_gpu();
  facts.cuda_of_driver.reset();
  EXPECT_EQ(why_no_cuda(facts), "CUDA device not found: no NVIDIA driver is loaded; install one, or use --device cpu");
}

TEST(Availability, ADriverThatIsTooOld) {
  PlatformFacts facts = linux_with_gpu();
  facts.cuda_devices = 0;
  facts.cuda_of_driver = "12.10";
  EXPECT_EQ(why_no_cuda(facts),
            "CUDA device not found: the NVIDIA driver supports CUDA 12.10, but this LibTorch needs 13.0; "
            "update the driver");
}

TEST(Availability, NoVisibleGpu) {
  PlatformFacts facts = linux_with_gpu();
  facts.cuda_devices = 0;
  EXPECT_EQ(why_no_cuda(facts), "CUDA device not found: no GPU is visible; see nvidia-smi and CUDA_VISIBLE_DEVICES");
}

TEST(Availability, NoMpsElsewhere) {
  EXPECT_EQ(why_no_mps(linux_with_gpu()), "MPS device not found: only Macs have MPS; use --device cuda or cpu");
}

TEST(Availability, RosettaIsNamedBeforeTheIntelMac) {
  PlatformFacts facts = mac();
  facts.arm64_process = false;
  EXPECT_EQ(why_no_mps(facts),
            "MPS device not found: LibTorch does not support the GPUs of Intel Macs; use --device cpu");
  facts.translated = true;
  EXPECT_EQ(why_no_mps(facts),
            "MPS device not found: this is an x86-64 process under Rosetta; build and run mpsbench as arm64 (`arch "
            "-arm64`, with an arm64 Python or LibTorch; docs/mac.md says how to keep conda at arm64)");
}

TEST(Availability, AllReasonsOfAMacAtOnce) {
  PlatformFacts facts = mac();
  facts.arm64_process = false;
  facts.system_version = "11.8";
  EXPECT_EQ(why_no_mps(facts),
            "MPS device not found: LibTorch does not support the GPUs of Intel Macs; use --device cpu; also, "
            "this LibTorch's MPS needs macOS 14.0 or later, but this is 11.8; update macOS");
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

TEST(Availability, ALibtorchWithoutMps) {
  PlatformFacts facts = mac();
  facts.mps_built = false;
  EXPECT_EQ(why_no_mps(facts),
            "MPS device not found: this LibTorch is built without MPS; install PyTorch's build for macOS on arm64");
  facts.mps_built = true;
  facts.mps_available = false;
  EXPECT_EQ(why_no_mps(facts),
            "MPS device not found: LibTorch finds no GPU; if this is a virtual machine, give it one, or use "
            "--device cpu");
}

TEST(Availability, FactsOfThisProcessAreConsistent) {
  const PlatformFacts facts = platform_facts();
  EXPECT_TRUE(facts.cuda_built || facts.cuda_devices == 0);
  EXPECT_TRUE(facts.macos || !facts.mps_available);
}

TEST(Kinds, HaveARowEachInTheOrderOfTheSet) {
  ASSERT_EQ(kind_rows().size(), schema::names_of<schema::DeviceKind>().size());
  for (const KindRow& row : kind_rows()) EXPECT_EQ(&kind_row(row.kind), &row) << to_string(row.kind);
}

}  // namespace

}  // namespace mpsbench::device
