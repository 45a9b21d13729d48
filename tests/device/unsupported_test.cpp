#include "device/unsupported.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

TEST(Unsupported, NamesTheOperatorAndTheFallback) {
  EXPECT_EQ(
      why_unsupported("The operator 'aten::_linalg_eigvals' is not currently implemented for the MPS device. "
                      "If you want this op to be considered for addition please comment on ..."),
      "MPS has no operator aten::_linalg_eigvals in this LibTorch; set PYTORCH_ENABLE_MPS_FALLBACK=1 to "
      "have the CPU run it (slower; flagged cpu-fallback)");
}

TEST(Unsupported, NamesFloat64InBothDirections) {
  for (const char* words :
       {"Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please "
        "use "
        "float32 instead.",
        "Cannot convert a float64 Tensor to MPS as the MPS framework doesn't support float64. Please use "
        "float32 instead."}) {
    EXPECT_EQ(why_unsupported(words), "MPS has no float64; use a model whose tensors are float32");
  }
}

TEST(Unsupported, IsNotEveryError) {
  EXPECT_EQ(why_unsupported("The operator 'aten::x' went wrong"), "");
  EXPECT_EQ(why_unsupported("mat1 and mat2 shapes cannot be multiplied"), "");
}

}  // namespace
}  // namespace mpsbench::device
