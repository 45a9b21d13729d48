#include "suite/model_file.hpp"

#include "base/sha256.hpp"
#include "model/build_network_plan.hpp"
#include "suite/support.hpp"
#include "support/scratch.hpp"

namespace mpsbench::suite {
namespace {

using tests::contains;
using tests::settings_of;
using tests::usage_error_of;

TEST(ModelFile, IsANetworkOfOneLayer) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("my net.pt", "some bytes").string();
  const auto settings = settings_of({{"input-shape", "3x8x8,16:100"}});
  const model::Definition definition = model_file_definition(file, settings);
  EXPECT_EQ(definition.name, "my_net-3x8x8-16_100");
  EXPECT_EQ(definition.classes, 1000);
  const schema::NetworkPlan plan =
      model::build_network_plan(definition, 4, 7, {}, "cross_entropy", schema::Mode::train);
  EXPECT_TRUE(schema::runs_model_file(plan));
  EXPECT_FALSE(schema::runs_package_file(plan));
  ASSERT_EQ(plan.inputs.size(), 2U);
  EXPECT_EQ(plan.inputs[0].shape, (schema::Shape{4, 3, 8, 8}));
  EXPECT_EQ(plan.inputs[1].dtype, "int64");
  EXPECT_EQ(plan.inputs[1].high, 100);
  EXPECT_EQ(plan.target_shape, schema::Shape{4});
  EXPECT_EQ(plan.target_high, 7);
}

TEST(ModelFile, APackageHasItsFingerprintInTheSource) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("net.pt2", "some bytes").string();
  const model::Definition definition = model_file_definition(file, settings_of({{"input-shape", "7"}}));
  EXPECT_EQ(definition.name, "net-7");
  EXPECT_TRUE(schema::runs_package_file(
      model::build_network_plan(definition, 4, {}, {}, definition.loss, schema::Mode::infer)));
  const std::string source = definition.document.at("source").get<std::string>();
  EXPECT_EQ(source, model_file_source(file));
  EXPECT_EQ(sha256_of_source(source), base::sha256_hex("some bytes"));
  EXPECT_EQ(sha256_of_source("no fingerprint"), "");
}

TEST(ModelFile, OtherBytesAreAnotherDefinition) {
  const tests::Scratch scratch;
  const auto settings = settings_of({{"input-shape", "10"}});
  const std::string file = scratch.write("a.pt", "one").string();
  const std::string before = model_file_definition(file, settings).sha256;
  scratch.write("a.pt", "two");
  EXPECT_NE(model_file_definition(file, settings).sha256, before);
}

TEST(ModelFile, Refusals) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("a.pt", "x").string();
  EXPECT_TRUE(
      contains(usage_error_of([&] { (void)model_file_definition(file, settings_of({})); }), "--input-shape"));
  EXPECT_TRUE(contains(
      usage_error_of([&] { (void)model_file_definition("none.pt", settings_of({{"input-shape", "10"}})); }),
      "none.pt"));
}

TEST(ModelFile, IsKnownByItsEnding) {
  for (const char* name : {"a.pt", "a.PT", "a.pth", "a.torchscript", "x/a.b.jit"}) {
    EXPECT_TRUE(is_model_file(name)) << name;
    EXPECT_FALSE(is_package_file(name)) << name;
  }
  EXPECT_TRUE(is_package_file("a.PT2"));
  for (const char* name : {"pt", "apt", "a.pt.json", "a.onnx", "a.safetensors", ""})
    EXPECT_FALSE(is_model_file(name)) << name;
}

TEST(ModelFile, NamesWhatElseItIs) {
  const tests::Scratch scratch;
  const auto refusal = [&](const char* name, const std::string& bytes) {
    const std::string file = scratch.write(name, bytes).string();
    return usage_error_of([&] { (void)model_file_definition(file, settings_of({{"input-shape", "4"}})); });
  };
  const std::string zip = "PK\x03\x04";
  EXPECT_TRUE(contains(refusal("a.pth", zip + "a/data.pkl"), "what torch.save writes (a state dict"));
  EXPECT_TRUE(contains(refusal("a.pt", "\x80\x02}q"), "what torch.save writes"));
  EXPECT_TRUE(
      contains(refusal("a.pt", zip + "a/data/aotinductor/model/a.so"), "give its name the ending .pt2"));
  EXPECT_TRUE(contains(refusal("a.pt", zip + "a/models/model.json"), "an exported program"));
  EXPECT_TRUE(contains(refusal("a.pt2", zip + "a/models/model.json"), "aoti_compile_and_package"));
  EXPECT_TRUE(contains(refusal("a.pt2", zip + "a/constants.pkl"), "give its name the ending .pt"));
  EXPECT_TRUE(contains(refusal("a.pt", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
                       "a.pt: a pointer of Git LFS, not the file itself; run git lfs pull"));
  const std::string elf = std::string(
                              "\x7F"
                              "ELF\x02\x01\x01",
                              7) +
                          std::string(9, '\0') + "\x03";
  EXPECT_TRUE(contains(refusal("a.pt2", zip + elf + std::string("\0\xF3\0", 3)),
                       "was built for Linux on riscv64, but this is "));
  const std::string good = scratch.write("a.pt", zip + "a/constants.pkl").string();
  EXPECT_EQ(model_file_definition(good, settings_of({{"input-shape", "4"}})).name, "a-4");
}

}  // namespace
}  // namespace mpsbench::suite
