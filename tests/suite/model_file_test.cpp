#include "suite/model_file.hpp"

#include "base/hex.hpp"
#include "base/utf8.hpp"
#include "model/build_network_plan.hpp"
#include "model/definition.hpp"
#include "suite/support.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench::suite {

namespace {

using Names = std::vector<std::string>;

// Returns the names of FILES in their order.
Names names_of(const Names& files) {
  Names names;
  const auto all = file_names(files);
  for (const std::string& file : files) names.push_back(all.at(file));
  return names;
}

TEST(FileNames, KeepEveryScript) {
  EXPECT_EQ(names_of({"模型甲.pt", "модель.pt", "/nets/モデル.v2.pt", "réseau-1.pt", "שלום.pt", "🙂.pt"}),
            (Names{"模型甲", "модель", "モデル.v2", "réseau-1", "שלום", "🙂"}));
  EXPECT_EQ(names_of({"模型.safetensors"}), (Names{"模型.safetensors"}));
}

TEST(FileNames, AreStillReadableIfTheyNeedMore) {
  EXPECT_EQ(names_of({"net.pt", "net.pt2"}), (Names{"net.pt", "net.pt2"}));
  EXPECT_EQ(names_of({"a/net.pt", "b/net.pt", "other.pt"}), (Names{"a.net", "b.net", "other"}));
  EXPECT_EQ(names_of({"/x/a/net.pt", "/y/a/net.pt", "/y/b/net.pt"}), (Names{"x.a.net", "y.a.net", "b.net"}));
  EXPECT_EQ(names_of({"a/model.safetensors", "b/model.safetensors"}),
            (Names{"a.model.safetensors", "b.model.safetensors"}));
  EXPECT_EQ(names_of({"/net.pt", "/a/net.pt"}), (Names{"net", "a.net"}));
}

TEST(FileNames, OfOneFileAreOne) {
  EXPECT_EQ(names_of({"net.pt", "./net.pt", "a/../net.pt"}), (Names{"net", "net", "net"}));
}

// Whatever the files are called, names are a model's names and differ.
TEST(FileNames, OfHostileFilesStayApart) {
  const std::string longest(300, 'x');
  const Names files{"a b.pt", "a+b.pt", "a\nb.pt", "a\x1b[2Jb.pt",
                    "a\xE2\x80\xAE"
                    "b.pt",
                    "a\xFF"
                    "b.pt",
                    "a\xFE"
                    "b.pt",
                    "a=b.pt", "a'b.pt", "a\\b.pt", "a_b.pt", " .pt", "  .pt", "\xE3\x80\x80.pt",
                    // One letter in two normal forms, and marks alone.
                    "\xC3\xA9.pt", "e\xCC\x81.pt", "\xCC\x81.pt", "\xCC\x81\xCC\x81.pt", longest + "1.pt",
                    longest + "2.pt", "a/" + longest + "1.pt", "a.b/c.pt", "a/b.c.pt", "x/b.c.pt", "..pt", "....pt",
                    "-.pt", "a/net.pt", "b/net.pt", "a.net.pt", "c/a.net.pt"};
  std::set<std::string> seen;
  for (const std::string& name : names_of(files)) {
    EXPECT_TRUE(model::is_model_name(name)) << name;
    EXPECT_TRUE(base::is_utf8(name));
    EXPECT_TRUE(seen.insert(name).second) << name;
  }
}

TEST(FileNames, AreCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "模";
  EXPECT_EQ(safe_name(text, 50), text);
  const std::string cut = safe_name(text, 20);
  EXPECT_EQ(cut.size(), 11 * 3 + 9U) << cut;
  EXPECT_NE(cut, safe_name(text + "型", 20));
  EXPECT_TRUE(base::is_utf8(cut));
  EXPECT_EQ(safe_name("", 10), "_");
}

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
      model::build_network_plan(definition, 4, {{"classes", 7}}, "cross_entropy", schema::Mode::train);
  EXPECT_TRUE(schema::runs_model_file(plan));
  EXPECT_FALSE(schema::runs_package_file(plan));
  ASSERT_EQ(plan.inputs.size(), 2U);
  EXPECT_EQ(plan.inputs[0].shape, (schema::Shape{4, 3, 8, 8}));
  EXPECT_EQ(plan.inputs[1].dtype, schema::DType::int64);
  EXPECT_EQ(plan.inputs[1].high, 100);
  EXPECT_EQ(plan.target_shape, schema::Shape{4});
  EXPECT_EQ(plan.target_high, 7);
}

TEST(ModelFile, APackageHasItsFingerprintInTheSource) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("net.pt2", "some bytes").string();
  const model::Definition definition = model_file_definition(file, settings_of({{"input-shape", "7"}}));
  EXPECT_EQ(definition.name, "net-7");
  EXPECT_TRUE(
      schema::runs_package_file(model::build_network_plan(definition, 4, {}, definition.loss, schema::Mode::infer)));
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
  EXPECT_TRUE(contains(usage_error_of([&] { (void)model_file_definition(file, settings_of({})); }), "--input-shape"));
  EXPECT_TRUE(
      contains(usage_error_of([&] { (void)model_file_definition("none.pt", settings_of({{"input-shape", "10"}})); }),
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
  EXPECT_TRUE(contains(refusal("a.pt", zip + "a/data/aotinductor/model/a.so"), "give its name the ending .pt2"));
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
