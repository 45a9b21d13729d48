#include "output/text/run_command.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

TEST(RunCommand, NamesTheWorkButNotTheMachine) {
  EXPECT_EQ(run_command("mlp/train/cuda:1/b64/fp32/eager/synthetic"), "mpsbench run -m mlp --mode train -b 64");
  EXPECT_EQ(run_command("vgg16/infer/mps/b8/bf16/graph/cifar10+affinity=0-3+channels-last=true+epochs=1+"
                        "optimizer=adam:lr=5e-05+threads=1"),
            "mpsbench run -m vgg16 --mode infer -b 8 --precision bf16 --engine graph --dataset cifar10 "
            "--channels-last --epochs 1 --optimizer adam:lr=5e-05");
  EXPECT_EQ(run_command("my net/train/cpu/b1/fp32/eager/synthetic"), "mpsbench run -m 'my net' --mode train -b 1");
}

TEST(RunCommand, OfAForeignIdDoesNotFail) {
  for (const char* id : {"", "/", "+", "a+=", "a/b/c/", "x+threads=1+", "a/b/c/d/e/f/g/h/i+x"})
    EXPECT_TRUE(run_command(id).starts_with("mpsbench run"));
}

}  // namespace
}  // namespace mpsbench::output
