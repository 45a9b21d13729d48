#include "schema/closed_set.hpp"

#include "schema/case_spec.hpp"
#include "schema/launch_part.hpp"
#include "schema/rank.hpp"
#include "schema/round_trip.hpp"
#include "schema/run_info.hpp"

#include <set>

namespace mpsbench::schema {
namespace {

using tests::json;
using tests::refusal;

template <typename Enum>
class ClosedSets : public ::testing::Test {};

using AllSets = ::testing::Types<Mode, Precision, Engine, Dataset, Input, Pad, TrecLabels, DataPart, LastBatch, Shuffle,
                                 Tokenize, Scaling, CompileMode, Status, RunStatus, Phase, DeviceKind, Purpose>;
TYPED_TEST_SUITE(ClosedSets, AllSets);

TYPED_TEST(ClosedSets, ReadEveryNameThatTheyWrite) {
  std::set<std::string> seen;
  for (const auto& row : ClosedSet<TypeParam>::kRows) {
    const std::string name = to_string(row.value);
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_EQ(parse_name<TypeParam>(name), row.value);
    const json document = name;
    EXPECT_EQ(read_name<TypeParam>(base::Reader(document, "f.json")), row.value);
  }
  EXPECT_EQ(names_of<TypeParam>().size(), seen.size());
}

TYPED_TEST(ClosedSets, RefuseOtherNames) {
  for (const char* name : {"", " ", "TRAIN", "fp3"}) EXPECT_FALSE(parse_name<TypeParam>(name)) << name;
}

TEST(Purpose, OnlyTurnsCannotBeGoneOnWith) {
  for (const PurposeRow& row : ClosedSet<Purpose>::kRows)
    EXPECT_EQ(row.is_resumable, row.value != Purpose::versus) << row.name;
}

TEST(ClosedSet, SaysWhereANameIsUnknownAndWhichAreKnown) {
  EXPECT_EQ(refusal("zzz", read_name<Engine>),
            "f.json: $: unknown engine \"zzz\"; known: eager, graph, compiled, compiled-graph");
  EXPECT_EQ(refusal("fp61", read_name<Precision>),
            "f.json: $: unknown precision \"fp61\" (did you mean 'fp16'?); known: fp32, tf32, bf16, fp16, pure-bf16, "
            "pure-fp16, int8, int4");
  EXPECT_EQ(refusal("Plain", read_name<Purpose>),
            "f.json: $: unknown purpose \"Plain\" (did you mean 'plain'?); known: plain, baseline, versus, "
            "calibrate, search");
  EXPECT_EQ(refusal(1, read_name<Purpose>), "f.json: $: expected a string, found 1");
}

enum class Size { small, medium, large };

}  // namespace

template <>
struct ClosedSet<Size> : NameSet<Size, "size", "small", "medium"> {};

namespace {

// Compiling is the test: if the last enumerator had no row, this would not compile.
static_assert(is_enumerator<Size::large>() && !is_enumerator<static_cast<Size>(3)>());
static_assert(!is_whole<Size>());

TEST(Phase, OnlyTimedLoopsAreMeasured) {
  std::set<Phase> measured;
  for (const PhaseRow& row : ClosedSet<Phase>::kRows) {
    if (row.measured) measured.insert(row.value);
  }
  EXPECT_EQ(measured, (std::set{Phase::measure, Phase::epoch, Phase::loop}));
}

}  // namespace
}  // namespace mpsbench::schema
