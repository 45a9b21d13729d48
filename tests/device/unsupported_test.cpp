#include "device/libtorch_errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

TEST(Unsupported, NamesTheOperatorAndTheFallback) {
  EXPECT_EQ(why_unsupported("The operator 'aten::_linalg_eigvals' is not currently implemented for the MPS device. "
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
        "float32 instead.",
        "float64 is not supported on MPS"}) {
    EXPECT_EQ(why_unsupported(words), "MPS has no float64; use a model whose tensors are float32");
  }
}

TEST(Unsupported, QuotesWhatAnOperatorLeavesOut) {
  for (const std::string words :
       {"Adaptive pool MPS: input sizes must be divisible by output sizes. Non-divisible input sizes are not "
        "implemented on MPS device yet.",
        "Output channels > 65536 not supported at the MPS device. ",
        "MPS supports tensors with dimensions <= 16, but got 17.",
        "Trying to convert ComplexDouble to the MPS backend but it does not have support for that dtype.",
        "MPS device does not support linear for non-float inputs"}) {
    EXPECT_EQ(why_unsupported(words + "\nException raised from ..."), "MPS cannot do this: " + words);
  }
}

TEST(Unsupported, IsNotEveryError) {
  EXPECT_EQ(why_unsupported("The operator 'aten::x' went wrong"), "");
  EXPECT_EQ(why_unsupported("mat1 and mat2 shapes cannot be multiplied"), "");
}

}  // namespace
}  // namespace mpsbench::device
