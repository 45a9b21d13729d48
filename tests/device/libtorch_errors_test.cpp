#include "device/libtorch_errors.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace mpsbench::device {
namespace {

// What LibTorch says, and what the user reads of it.
using Words = std::pair<std::string, std::string>;

TEST(OutOfMemory, TellsWhatWasWantedAndWhatThereIs) {
  for (const auto& [words, told] :
       {Words{"CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139.72 GiB of which "
              "1.20 GiB is free. Process 7 has 138.51 GiB memory in use.\nmore",
              "(asked for 20.00 GiB, 1.20 GiB free)"},
        Words{"CUDA out of memory. Tried to allocate 392.00 MiB. GPU 0 has a total capacity of 139.72 GiB of which "
              "125.31 GiB is free. Including non-PyTorch memory, this process has 13.79 GiB memory in use. 13.98 GiB "
              "allowed; Of the allocated memory 12.90 GiB is allocated by PyTorch",
              "(asked for 392.00 MiB, 125.31 GiB free, 13.98 GiB allowed to a launch)"},
        Words{"DefaultCPUAllocator: can't allocate memory: you tried to allocate 2147483648 bytes. Error code 12",
              "(asked for 2.0 GiB)"},
        Words{"MPS backend out of memory (MPS allocated: 8.10 GiB, other allocations: 1.20 GiB, max allowed: 9.60 "
              "GiB). Tried to allocate 2.00 GiB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable "
              "upper limit for memory allocations (may cause system failure).",
              "(asked for 2.00 GiB, 8.10 GiB held by LibTorch and 1.20 GiB by other allocations, 9.60 GiB allowed to "
              "a launch)"},
        Words{"MPS backend out of memory (MPS allocated: 8.10 GiB, other allocations: 384.00 KiB). Tried to allocate "
              "2.00 GiB on shared pool.",
              "(asked for 2.00 GiB, 8.10 GiB held by LibTorch and 384.00 KiB by other allocations)"},
        Words{"Invalid buffer size: 128.00 MB", "(one tensor of 128.00 MB is more than the GPU's largest buffer)"},
        Words{"MPS command buffer execution failed: Insufficient Memory "
              "(00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)",
              "(the GPU could not finish its work)"}}) {
    EXPECT_TRUE(says_out_of_memory(words)) << words;
    EXPECT_EQ(out_of_memory_message(words), "out of memory " + told + "; lower --batch-size");
  }
  EXPECT_EQ(out_of_memory_message("MPS backend out of memory\nmore"), "MPS backend out of memory");
}

TEST(OutOfMemory, IsAlsoWhatCudasLibrariesSayButNotEveryError) {
  EXPECT_TRUE(says_out_of_memory("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"));
  EXPECT_TRUE(says_out_of_memory("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"));
  EXPECT_FALSE(says_out_of_memory("shapes cannot be multiplied"));
}

TEST(Unsupported, SaysWhatMpsLacks) {
  for (const auto& [words, told] :
       {Words{"The operator 'aten::_linalg_eigvals' is not currently implemented for the MPS device. If you want this "
              "op to be considered for addition please comment on ...",
              "MPS has no operator aten::_linalg_eigvals in this LibTorch; set PYTORCH_ENABLE_MPS_FALLBACK=1 to have "
              "the CPU run it (slower; flagged cpu-fallback)"},
        Words{"Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use "
              "float32 instead.",
              "MPS has no float64; use a model whose tensors are float32"},
        Words{"float64 is not supported on MPS", "MPS has no float64; use a model whose tensors are float32"},
        Words{"The operator 'aten::x' went wrong", ""}, Words{"mat1 and mat2 shapes cannot be multiplied", ""}})
    EXPECT_EQ(why_unsupported(words), told);
}

TEST(Unsupported, QuotesWhatAnOperatorLeavesOut) {
  for (const std::string words :
       {"Adaptive pool MPS: input sizes must be divisible by output sizes. Non-divisible input sizes are not "
        "implemented on MPS device yet.",
        "Output channels > 65536 not supported at the MPS device. ",
        "MPS supports tensors with dimensions <= 16, but got 17.",
        "Trying to convert ComplexDouble to the MPS backend but it does not have support for that dtype.",
        "MPS device does not support linear for non-float inputs"})
    EXPECT_EQ(why_unsupported(words + "\nException raised from ..."), "MPS cannot do this: " + words);
}

// The wording of LibTorch's MPSFallback.mm.
void fall_back(const std::string& name) {
  TORCH_WARN_ONCE("The operator '", name, "' is not currently supported on the MPS backend and will fall back ",
                  "to run on the CPU. This may have performance implications.");
}

TEST(CpuFallbackWatch, CountsEachOperatorOnceAndPassesOtherWarningsOn) {
  c10::WarningHandler* before = c10::WarningUtils::get_warning_handler();
  testing::internal::CaptureStderr();
  {
    CpuFallbackWatch watch;
    TORCH_WARN("The operator 'aten::x' is slow");
    EXPECT_EQ(watch.operators(), 0);
    for (const char* name : {"aten::unique", "aten::sort", "aten::unique"}) fall_back(name);
    EXPECT_EQ(watch.operators(), 2);
  }
  EXPECT_NE(testing::internal::GetCapturedStderr().find("is slow"), std::string::npos);
  EXPECT_EQ(c10::WarningUtils::get_warning_handler(), before);
  EXPECT_FALSE(c10::WarningUtils::get_warnAlways());
}

}  // namespace
}  // namespace mpsbench::device
