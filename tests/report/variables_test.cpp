#include "report/host/variables.hpp"

#include "base/system_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

TEST(Variables, AreThoseThatChangeSpeed) {
  const std::vector<std::string> known{"ATEN_CPU_CAPABILITY",
                                       "ONEDNN_MAX_CPU_ISA",
                                       "DNNL_DEFAULT_FPMATH_MODE",
                                       "CUDA_DEVICE_MAX_CONNECTIONS",
                                       "CUDNN_LOGINFO_DBG",
                                       "NCCL_BUFFSIZE",
                                       "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
                                       "TORCHINDUCTOR_FREEZING",
                                       "MIOPEN_FIND_MODE",
                                       "HSA_ENABLE_SDMA",
                                       "LD_PRELOAD",
                                       "DYLD_INSERT_LIBRARIES",
                                       "OMP_PLACES",
                                       "MKL_NUM_THREADS",
                                       "GOMP_CPU_AFFINITY",
                                       "KMP_AFFINITY",
                                       "PYTORCH_MPS_FAST_MATH",
                                       "CUBLAS_WORKSPACE_CONFIG",
                                       "NVIDIA_TF32_OVERRIDE",
                                       "MALLOC_ARENA_MAX",
                                       "GLIBC_TUNABLES",
                                       "MTL_SHADER_VALIDATION"};
  for (const std::string& name : known) EXPECT_NE(find_variable(name), nullptr) << name;
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH", "MPSBENCH_WORKER", "LD_PRELOAD_X", "AWS_SECRET", ""})
    EXPECT_EQ(find_variable(name), nullptr) << name;
}

TEST(Variables, SlowDownWithSomeValues) {
  using Settings = std::map<std::string, std::string>;
  const Settings slow{{"ATEN_CPU_CAPABILITY", "default"},
                      {"ONEDNN_MAX_CPU_ISA", "SSE41"},
                      {"DNNL_MAX_CPU_ISA", "avx2"},
                      {"DNNL_VERBOSE", "1"},
                      {"ONEDNN_PRIMITIVE_CACHE_CAPACITY", "0"},
                      {"MKL_ENABLE_INSTRUCTIONS", "SSE4_2"},
                      {"MKL_CBWR", "COMPATIBLE"},
                      {"OMP_WAIT_POLICY", "PASSIVE"},
                      {"GOMP_SPINCOUNT", "0"},
                      {"OMP_DYNAMIC", "TRUE"},
                      {"CUDA_LAUNCH_BLOCKING", "1"},
                      {"NCCL_P2P_DISABLE", "1"},
                      {"NCCL_ALGO", "Ring"},
                      {"LD_PRELOAD", "libasan.so.8"},
                      {"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2_Usable"},
                      {"MTL_DEBUG_LAYER", "1"},
                      {"MallocScribble", "1"},
                      {"PYTORCH_NO_CUDA_MEMORY_CACHING", "1"},
                      {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"},
                      {"TORCH_DISTRIBUTED_DEBUG", "DETAIL"}};
  for (const auto& [name, value] : slow) EXPECT_NE(find_slow_variable(name, value), nullptr) << name << "=" << value;
  const Settings harmless{{"ATEN_CPU_CAPABILITY", "avx512"},
                          {"ONEDNN_MAX_CPU_ISA", "ALL"},
                          {"DNNL_VERBOSE", "0"},
                          {"ONEDNN_PRIMITIVE_CACHE_CAPACITY", "1024"},
                          {"MKL_CBWR", ""},
                          {"OMP_WAIT_POLICY", "ACTIVE"},
                          {"OMP_DYNAMIC", "false"},
                          {"CUDA_LAUNCH_BLOCKING", "0"},
                          {"LD_PRELOAD", "libjemalloc.so.2"},
                          {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"},
                          {"OMP_NUM_THREADS", "1"},
                          {"PATH", "0"},
                          {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "100"},
                          {"TORCH_DISTRIBUTED_DEBUG", "INFO"}};
  for (const auto& [name, value] : harmless)
    EXPECT_EQ(find_slow_variable(name, value), nullptr) << name << "=" << value;
  EXPECT_EQ(find_slow_variable("OMP_DYNAMIC", "maybe"), nullptr);
}

TEST(Variables, TheReportsPageHasTheTable) {
  const std::string text = base::read_system_file(std::filesystem::path(MPSBENCH_SOURCE_DIR) / "docs/report.md");
  const std::string marker = "<!-- variables -->\n";
  const std::size_t at = text.find(marker);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(at + marker.size(), variable_table().size()), variable_table());
}

}  // namespace
}  // namespace mpsbench::report
