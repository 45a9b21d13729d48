#include "device/availability.hpp"

#include <sstream>
#include <vector>

namespace mpsbench::device {
namespace {

std::vector<int> numbers(const std::string& version) {
  std::vector<int> parts;
  std::istringstream text(version);
  for (int part = 0; text >> part; text.ignore(1, '.')) parts.push_back(part);
  return parts;
}

// Compares number by number: 12.10 is later than 12.3.
bool version_at_least(const std::string& version, const std::string& wanted) {
  return numbers(version) >= numbers(wanted);
}

}  // namespace

std::string why_no_cuda(const PlatformFacts& facts) {
  const std::string missing = "CUDA device not found: ";
  if (facts.macos) return missing + "there is no CUDA on a Mac; use --device mps";
  if (!facts.cuda_built)
    return missing +
           "this LibTorch is a CPU-only build; install a CUDA build, and build mpsbench with it unless pip "
           "installed mpsbench";
  if (!facts.cuda_of_driver) return missing + "no NVIDIA driver is loaded; install one, or use --device cpu";
  if (facts.cuda_devices > 0) return "";
  if (facts.cuda_needed && !version_at_least(*facts.cuda_of_driver, *facts.cuda_needed)) {
    return missing + "the NVIDIA driver supports CUDA " + *facts.cuda_of_driver +
           ", but this LibTorch needs " + *facts.cuda_needed + "; update the driver";
  }
  return missing + "no GPU is visible; see nvidia-smi and CUDA_VISIBLE_DEVICES";
}

std::string why_no_mps(const PlatformFacts& facts) {
  if (!facts.macos) return "MPS device not found: only Macs have MPS; use --device cuda or cpu";
  std::vector<std::string> reasons;  // of the machine: the user hears all of them at once
  if (facts.translated) {
    reasons.emplace_back(
        "this is an x86-64 process under Rosetta; build and run mpsbench as arm64 (`arch -arm64`, with an "
        "arm64 Python or LibTorch; docs/mac.md says how to keep conda at arm64)");
  } else if (!facts.arm64_process) {
    reasons.emplace_back("LibTorch does not support the GPUs of Intel Macs; use --device cpu");
  }
  if (!version_at_least(facts.system_version, facts.least_macos)) {
    reasons.push_back("this LibTorch's MPS needs macOS " + facts.least_macos + " or later, but this is " +
                      facts.system_version + "; update macOS");
  }
  if (reasons.empty() && !facts.mps_built) {
    reasons.emplace_back("this LibTorch is built without MPS; install PyTorch's build for macOS on arm64");
  } else if (reasons.empty() && !facts.mps_available) {
    reasons.emplace_back(
        "LibTorch finds no GPU; if this is a virtual machine, give it one, or use --device cpu");
  }
  std::string text;
  for (const std::string& reason : reasons)
    text += (text.empty() ? "MPS device not found: " : "; also, ") + reason;
  return text;
}

}  // namespace mpsbench::device
