#include "suite/file_names.hpp"

#include "base/utf8.hpp"
#include "model/definition.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench::suite {
namespace {

using Names = std::vector<std::string>;

// Returns the names of FILES in their order.
Names names_of(const Names& files, bool with_ending = false) {
  Names names;
  const auto all = file_names(files, with_ending);
  for (const std::string& file : files) names.push_back(all.at(file));
  return names;
}

TEST(FileNames, KeepEveryScript) {
  EXPECT_EQ(names_of({"模型甲.pt", "модель.pt", "/nets/モデル.v2.pt", "réseau-1.pt", "שלום.pt", "🙂.pt"}),
            (Names{"模型甲", "модель", "モデル.v2", "réseau-1", "שלום", "🙂"}));
  EXPECT_EQ(names_of({"模型.safetensors"}, true), (Names{"模型.safetensors"}));
}

TEST(FileNames, AreStillReadableIfTheyNeedMore) {
  EXPECT_EQ(names_of({"net.pt", "net.pt2"}), (Names{"net.pt", "net.pt2"}));
  EXPECT_EQ(names_of({"a/net.pt", "b/net.pt", "other.pt"}), (Names{"a.net", "b.net", "other"}));
  EXPECT_EQ(names_of({"/x/a/net.pt", "/y/a/net.pt", "/y/b/net.pt"}),
            (Names{"x.a.net", "y.a.net", "y.b.net"}));
  EXPECT_EQ(names_of({"a/model.safetensors", "b/model.safetensors"}, true),
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
                    longest + "2.pt", "a/" + longest + "1.pt", "a.b/c.pt", "a/b.c.pt", "x/b.c.pt", "..pt",
                    "....pt", "-.pt", "a/net.pt", "b/net.pt", "a.net.pt", "c/a.net.pt"};
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

}  // namespace
}  // namespace mpsbench::suite
