#include "device/libtorch_errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

TEST(OutOfMemory, OfCudaTellsWhatWasWantedAndFree) {
  const std::string words =
      "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139.72 GiB of which "
      "1.20 GiB is free. Process 7 has 138.51 GiB memory in use.\nmore";
  EXPECT_TRUE(says_out_of_memory(words));
  EXPECT_EQ(out_of_memory_message(words), "out of memory (asked for 20.00 GiB, 1.20 GiB free); lower --batch-size");
}

TEST(OutOfMemory, TellsTheAllocatorsOwnLimit) {
  const std::string words =
      "CUDA out of memory. Tried to allocate 392.00 MiB. GPU 0 has a total capacity of 139.72 GiB of which "
      "125.31 GiB is free. Including non-PyTorch memory, this process has 13.79 GiB memory in use. 13.98 GiB "
      "allowed; Of the allocated memory 12.90 GiB is allocated by PyTorch";
  EXPECT_EQ(out_of_memory_message(words),
            "out of memory (asked for 392.00 MiB, 125.31 GiB free, 13.98 GiB allowed to a launch); lower "
            "--batch-size");
}

TEST(OutOfMemory, OfTheCpuTellsWhatWasWanted) {
  const std::string words =
      "DefaultCPUAllocator: can't allocate memory: you tried to allocate 2147483648 bytes. Error code 12";
  EXPECT_TRUE(says_out_of_memory(words));
  EXPECT_EQ(out_of_memory_message(words), "out of memory (asked for 2.0 GiB); lower --batch-size");
}

TEST(OutOfMemory, OfMpsTellsWhatWasWantedUsedAndAllowed) {
  const std::string words =
      "MPS backend out of memory (MPS allocated: 8.10 GiB, other allocations: 1.20 GiB, max allowed: 9.60 "
      "GiB). Tried to allocate 2.00 GiB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable "
      "upper limit for memory allocations (may cause system failure).";
  EXPECT_TRUE(says_out_of_memory(words));
  EXPECT_EQ(out_of_memory_message(words),
            "out of memory (asked for 2.00 GiB, 8.10 GiB held by LibTorch and 1.20 GiB by other allocations, "
            "9.60 GiB allowed to a launch); lower --batch-size");
}

TEST(OutOfMemory, OfMpsWithoutALimit) {
  EXPECT_EQ(out_of_memory_message("MPS backend out of memory (MPS allocated: 8.10 GiB, other allocations: "
                                  "384.00 KiB). Tried to allocate 2.00 GiB on shared pool."),
            "out of memory (asked for 2.00 GiB, 8.10 GiB held by LibTorch and 384.00 KiB by other "
            "allocations); lower --batch-size");
}

TEST(OutOfMemory, OfMpsIsATensorAboveTheLargestBuffer) {
  const std::string words = "Invalid buffer size: 128.00 MB";
  EXPECT_TRUE(says_out_of_memory(words));
  EXPECT_EQ(out_of_memory_message(words),
            "out of memory (one tensor of 128.00 MB is more than the GPU's largest buffer); lower --batch-size");
}

TEST(OutOfMemory, OfMpsIsWorkThatMetalGaveUp) {
  const std::string words =
      "MPS command buffer execution failed: Insufficient Memory "
      "(00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)";
  EXPECT_TRUE(says_out_of_memory(words));
  EXPECT_EQ(out_of_memory_message(words), "out of memory (the GPU could not finish its work); lower --batch-size");
}

TEST(OutOfMemory, InOtherWordsIsItsFirstLine) {
  EXPECT_EQ(out_of_memory_message("MPS backend out of memory\nmore"), "MPS backend out of memory");
}

TEST(OutOfMemory, IsAlsoWhatCudasLibrariesSay) {
  EXPECT_TRUE(says_out_of_memory("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"));
  EXPECT_TRUE(says_out_of_memory("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"));
}

TEST(OutOfMemory, IsNotEveryError) {
  EXPECT_FALSE(says_out_of_memory("shapes cannot be multiplied"));
}

}  // namespace
}  // namespace mpsbench::device
