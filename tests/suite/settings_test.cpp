#include "suite/settings.hpp"

#include "suite/support.hpp"

namespace mpsbench::suite {
namespace {

using tests::settings_of;
using tests::usage_error_of;

TEST(Setting, RemembersItsValueAndWhereItWasSet) {
  Setting<std::int64_t> seed{"seed"};
  for (const bool again : {false, true}) {
    EXPECT_FALSE(seed.has() || seed.is_on_command_line() || seed.optional());
    EXPECT_EQ(seed.value_or(3), 3);
    EXPECT_THROW((void)seed.value(), std::bad_optional_access);
    EXPECT_EQ(seed.name(), "seed");
    EXPECT_STREQ(seed.error("is missing").what(), "--seed: is missing");
    if (again) break;
    seed.set(7, "s.json: $.seed");
    EXPECT_TRUE(seed.has() && !seed.is_on_command_line());
    EXPECT_EQ(seed.value_or(3), 7);
    EXPECT_STREQ(seed.error("is odd").what(), "s.json: $.seed: is odd");
    seed.set(8, "--seed");
    EXPECT_TRUE(seed.is_on_command_line());
    seed.clear();
  }
  Setting<bool> strict{"strict"};
  EXPECT_FALSE(strict.is_on());
  strict.set(false, "--strict");
  EXPECT_TRUE(strict.has() && !strict.is_on());
  strict.set(true, "--strict");
  EXPECT_TRUE(strict.is_on());
}

TEST(Settings, GiveTheirTextsAsWhatTheyAre) {
  using schema::Precision;
  const Settings settings = settings_of({{"seed", "7"},
                                         {"max-time", "500ms"},
                                         {"max-noise", "2%"},
                                         {"dropout", "0.5"},
                                         {"precision", "bf16,fp32"},
                                         {"pad", "longest"},
                                         {"device", "all,cuda:1"},
                                         {"batch-size", "1-4*2,9"},
                                         {"input-shape", "3x8x8,16:100"},
                                         {"warmup", "2s"},
                                         {"optimizer", "sgd:lr=0.5"},
                                         {"color", "never"},
                                         {"channels-last", "true"}});
  EXPECT_EQ(settings.seed.value(), 7);
  EXPECT_EQ(settings.max_time_seconds.value(), 0.5);
  EXPECT_EQ(settings.max_noise.value(), 0.02);
  EXPECT_EQ(settings.of_case.of<&schema::CaseSpec::dropout>().value(), 0.5);
  EXPECT_EQ(settings.precisions.value(), (std::vector{Precision::bf16, Precision::fp32}));
  EXPECT_EQ(settings.pad.value(), schema::Pad::longest);
  EXPECT_EQ(settings.devices.value(),
            (std::vector<DeviceChoice>{{DeviceChoice::Kind::all, {}}, {DeviceChoice::Kind::one, "cuda:1"}}));
  EXPECT_EQ(settings.batch_sizes.value().everywhere.sizes, (std::vector<std::int64_t>{1, 2, 4, 9}));
  EXPECT_EQ(settings.input_shapes.value(), (std::vector<InputShape>{{{3, 8, 8}, std::nullopt}, {{16}, 100}}));
  EXPECT_EQ(settings.warmup.value().amount, 2);
  EXPECT_EQ(settings.optimizer.value().settings.at("lr"), 0.5);
  EXPECT_EQ(settings.color.value(), ColourChoice::never);
  EXPECT_TRUE(settings.of_case.of<&schema::CaseSpec::channels_last>().is_on());
}

TEST(Settings, TakeBatchSizesThatAreStillToBeFound) {
  EXPECT_EQ(settings_of({{"batch-size", "max"}}).batch_sizes.value().everywhere.searched, SearchedBatch::max);
  EXPECT_EQ(settings_of({{"batch-size", "best"}}).batch_sizes.value().everywhere.searched, SearchedBatch::best);
  EXPECT_FALSE(settings_of({{"batch-size", "8"}}).batch_sizes.value().everywhere.searched);
}

TEST(Settings, AreCheckedWhenSetAndNameTheirOrigin) {
  EXPECT_EQ(usage_error_of([] { (void)settings_of({{"threads", "0"}}); }),
            "--threads: expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found '0'");
}

TEST(Settings, OfTheUpperLayerHideThoseBelow) {
  const Settings below = settings_of({{"seed", "1"}, {"rows", "10"}});
  const Settings above = settings_of({{"seed", "2"}, {"repeats", "5"}});
  const Settings merged = below.overlaid_with(above);
  EXPECT_EQ(merged.seed.value(), 2);
  EXPECT_EQ(merged.rows.value(), 10);
  EXPECT_EQ(merged.repeats.value(), 5);
  EXPECT_EQ(below.seed.value(), 1);
}

TEST(Settings, EpochsAndIterationsHideEachOther) {
  const Settings epochs = settings_of({{"epochs", "1"}});
  const Settings iterations = settings_of({{"iterations", "5"}});
  EXPECT_FALSE(epochs.overlaid_with(iterations).epochs.has());
  EXPECT_FALSE(iterations.overlaid_with(epochs).iterations.has());
  EXPECT_TRUE(epochs.overlaid_with(settings_of({{"repeats", "2"}})).epochs.has());
  const Settings both = epochs.overlaid_with(settings_of({{"epochs", "2"}, {"iterations", "5"}}));
  // Resolving the case refuses this and names both options.
  EXPECT_TRUE(both.epochs.has() && both.iterations.has());
}

TEST(Settings, RememberTheOriginOfTheLayerThatWon) {
  Settings below;
  below.batch_sizes.set({std::nullopt, {8}}, "s.json: $.matrices[0].batch-size");
  find_option("rows")->set(below, "10", "s.json: $.matrices[0].rows");
  const Settings merged = below.overlaid_with(settings_of({{"batch-size", "4"}}));
  EXPECT_STREQ(merged.batch_sizes.error("is too large").what(), "--batch-size: is too large");
  EXPECT_STREQ(merged.rows.error("are few").what(), "s.json: $.matrices[0].rows: are few");
  EXPECT_STREQ(merged.seed.error("is odd").what(), "--seed: is odd");
}

}  // namespace
}  // namespace mpsbench::suite
