#include "suite/ranks.hpp"

#include "suite/plan_cases.hpp"
#include "suite/support.hpp"

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::suite {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;
using Ids = std::vector<std::string>;

const Ids kCpu{"cpu"};
const Ids kThreeGpus{"cpu", "cuda", "cuda:1", "cuda:2"};

Host machine_with(const Ids& devices) {
  return {4, std::int64_t{8} << 30, tests::devices_here(devices)};
}

PlannedCases planned_on(Texts texts, const Ids& devices) {
  texts.insert(texts.begin(), {"model", "mlp"});
  return plan_cases({tests::settings_of(texts)}, tests::project_catalog(), machine_with(devices));
}

// Returns the cases' ids without what they have in common.
Ids places(Texts texts, const Ids& devices = kThreeGpus) {
  texts.insert(texts.begin(), {"mode", "train"});
  Ids found;
  for (const schema::PlannedCase& planned : planned_on(texts, devices).cases) {
    const std::string id = planned.id.substr(std::string("mlp/train/").size());
    const std::size_t end = id.find("/fp32");
    found.push_back(id.substr(0, end) + id.substr(end + std::string("/fp32/eager/synthetic").size()));
  }
  return found;
}

std::string refusal_of(const Texts& texts, const Ids& devices = kThreeGpus) {
  return tests::usage_error_of([&] { (void)planned_on(texts, devices); });
}

TEST(Ranks, OnTheCpuShareTheCores) {
  const Texts texts{{"batch-size", "8"}, {"ranks", "1,2,8"}};
  EXPECT_EQ(places(texts, kCpu), (Ids{"cpu/b8", "cpu/b8+ranks=2", "cpu/b8+ranks=8"}));
  std::vector<std::int64_t> threads;
  for (const schema::PlannedCase& planned : planned_on({{"mode", "infer"}, {"ranks", "1,2,8"}}, kCpu).cases)
    threads.push_back(planned.spec.threads);
  EXPECT_EQ(threads, (std::vector<std::int64_t>{4, 2, 1}));
  EXPECT_EQ(refusal_of({{"ranks", "2,2"}}, kCpu), "--ranks: '2' appears twice; remove one");
}

TEST(Ranks, OnOneMachineHaveALimit) {
  EXPECT_EQ(refusal_of({{"ranks", "1,257"}}, kCpu),
            "--ranks: 257 are more than the 256 processes that mpsbench starts on one machine; give fewer");
  Host host = machine_with(kCpu);
  host.launched = LaunchedRanks{"srun", 512, 512, 0, 2};
  const Texts several{{"model", "mlp"}, {"ranks", "512"}, {"mode", "train"}};
  EXPECT_EQ(plan_cases({tests::settings_of(several)}, tests::project_catalog(), host).cases.front().spec.ranks, 512);
}

TEST(Ranks, OnGpusAreOneForEach) {
  EXPECT_EQ(places({{"device", "cuda"}, {"batch-size", "8"}, {"gpus", "1,2"}}), (Ids{"cuda/b8", "cuda/b8+gpus=2"}));
  EXPECT_EQ(places({{"batch-size", "8"}, {"gpus", "1-4*2"}}), (Ids{"cuda/b8", "cuda/b8+gpus=2", "cuda/b8+gpus=4"}));
  EXPECT_EQ(refusal_of({{"gpus", "2,2"}}), "--gpus: '2' appears twice; remove one");
  EXPECT_EQ(refusal_of({{"gpus", "all,all"}}), "--gpus: 'all' appears twice; remove one");
}

TEST(Ranks, OfEachKindAreCountedByTheOptionOfItsRow) {
  using Counts = std::vector<std::int64_t>;
  const Host host = machine_with(kCpu);
  for (const schema::DeviceKindRow& row : schema::ClosedSet<schema::DeviceKind>::kRows) {
    const auto counts = [&](const char* option) {
      return ranks_on(schema::DeviceId(row.value), {}, tests::settings_of({{option, "2"}}), host);
    };
    EXPECT_EQ(counts("ranks"), Counts{row.ranks_share ? 2 : 1}) << row.name;
    EXPECT_EQ(counts("gpus"), Counts{row.one_a_rank ? 2 : 1}) << row.name;
    const std::string name(row.name);
    if (!row.one_a_rank) {
      EXPECT_TRUE(refusal_of({{"device", name}, {"gpus", "2"}}, {name}).starts_with("--gpus: counts"));
    }
    if (!row.ranks_share) {
      EXPECT_TRUE(refusal_of({{"device", name}, {"ranks", "2"}}, {name}).starts_with("--ranks: counts"));
    }
  }
}

TEST(Ranks, AllAreTheUsableGpus) {
  EXPECT_EQ(places({{"batch-size", "8"}, {"gpus", "1,3,all"}}), (Ids{"cuda/b8", "cuda/b8+gpus=3"}));
  EXPECT_EQ(places({{"batch-size", "8"}, {"gpus", "all"}}, {"cpu", "cuda", "cuda:2"}), (Ids{"cuda/b8"}));
  EXPECT_EQ(places({{"device", "cuda"}, {"batch-size", "8"}, {"gpus", "all"}}, kCpu), (Ids{"cuda/b8"}));
}

TEST(Ranks, AreCountedForEachDeviceApart) {
  EXPECT_EQ(places({{"device", "cpu,cuda,mps"}, {"batch-size", "8"}, {"ranks", "2"}, {"gpus", "3"}}),
            (Ids{"cpu/b8+ranks=2", "cuda/b8+gpus=3", "mps/b8"}));
  EXPECT_EQ(refusal_of({{"device", "cuda"}, {"ranks", "2"}}),
            "--ranks: counts processes on the CPU, but none of the devices is the CPU; use --gpus for NVIDIA GPUs, or "
            "--device cpu");
  const std::string no_gpu =
      "--gpus: counts NVIDIA GPUs, but none of the devices is one; add --device cuda, or use --ranks for processes on "
      "the CPU";
  EXPECT_EQ(refusal_of({{"device", "mps"}, {"gpus", "2"}}), no_gpu);
  EXPECT_EQ(refusal_of({{"gpus", "all"}}, kCpu), no_gpu);
  EXPECT_EQ(refusal_of({{"device", "cuda,cuda:1"}, {"gpus", "2"}}),
            "--gpus: takes the first N GPUs, but the devices name cuda:1; use --device cuda");
}

TEST(Ranks, NeedAsManyGpus) {
  schema::CaseSpec spec;
  spec.device = "cuda";
  spec.ranks = 3;
  const auto why = [&](const Ids& devices) { return why_unsupported(spec, tests::devices_here(devices)); };
  EXPECT_EQ(why(kThreeGpus), "");
  EXPECT_EQ(why({"cpu", "cuda", "cuda:2"}), "3 GPUs are needed, but 1 is usable here; lower --gpus");
  EXPECT_EQ(why({"cpu", "cuda", "cuda:1"}), "3 GPUs are needed, but 2 are usable here; lower --gpus");
  EXPECT_EQ(why(kCpu), "cuda device not found");
  spec.device = "cpu";
  EXPECT_EQ(why(kCpu), "");
}

TEST(Ranks, OfALauncherShareTheGpusOutByTheirNumbers) {
  schema::CaseSpec spec;
  spec.device = "cuda";
  spec.ranks = 4;
  const LaunchedRanks second{"srun", 4, 1, 1, 2};
  const auto own = [&](const Ids& devices) {
    return own_device(schema::DeviceKind::cuda, tests::devices_here(devices), second);
  };
  const auto why = [&](const Ids& devices, const LaunchedRanks& launched) {
    return why_unsupported(spec, tests::devices_here(devices), launched);
  };
  EXPECT_EQ(own(kThreeGpus), schema::DeviceId("cuda:1"));
  EXPECT_EQ(own({"cpu", "cuda"}), schema::DeviceId("cuda"));
  EXPECT_EQ(own_device(schema::DeviceKind::cpu, tests::devices_here(kCpu), second), schema::DeviceId("cpu"));
  EXPECT_EQ(why(kThreeGpus, second), "");
  EXPECT_EQ(why({"cpu", "cuda"}, second), "");
  EXPECT_EQ(why(kCpu, second), "cuda device not found");
  EXPECT_EQ(why(kThreeGpus, {"srun", 4, 1, 1, 4}),
            "the 4 ranks on this machine need a GPU each, but this one sees 3; start fewer, or let each see one GPU "
            "only, as srun --gpus-per-task=1 does");
}

TEST(Ranks, OfALauncherNeedOnlyTheirOwnGpu) {
  std::vector<schema::DeviceStatus> seen{{.device = "cuda", .usable = true},
                                         {.device = "cuda:1", .reason = "out of memory"}};
  const DeviceList devices = [&]() -> const std::vector<schema::DeviceStatus>& { return seen; };
  schema::CaseSpec spec;
  spec.device = "cuda";
  spec.ranks = 2;
  EXPECT_EQ(why_unsupported(spec, devices, LaunchedRanks{"torchrun", 2, 1, 0, 2}), "");
  EXPECT_EQ(why_unsupported(spec, devices, LaunchedRanks{"torchrun", 2, 1, 1, 2}), "out of memory");
  spec.ranks = 1;  // rank 0's alone
  EXPECT_EQ(why_unsupported(spec, devices, LaunchedRanks{"torchrun", 2, 1, 1, 2}), "");
}

TEST(Ranks, ShareTheBatchInStrongScaling) {
  const Texts texts{{"batch-size", "64,128"}, {"gpus", "1,2"}, {"scaling", "strong"}};
  EXPECT_EQ(places(texts),
            (Ids{"cuda/b64", "cuda/b128", "cuda/b32+gpus=2+scaling=strong", "cuda/b64+gpus=2+scaling=strong"}));
  EXPECT_EQ(places({{"ranks", "2"}, {"scaling", "strong"}}, kCpu), (Ids{"cpu/b32+ranks=2+scaling=strong"}));
  EXPECT_EQ(places({{"gpus", "2"}, {"batch-size", "8"}, {"scaling", "weak"}}), (Ids{"cuda/b8+gpus=2"}));
  EXPECT_EQ(refusal_of({{"batch-size", "64"}, {"gpus", "3"}, {"scaling", "strong"}}),
            "--batch-size: 3 processes cannot share 64 rows equally, as --scaling strong asks; use multiples of 3");
}

TEST(Ranks, LookForABatchOnlyOnGpusAndInWeakScaling) {
  EXPECT_EQ(planned_on({{"mode", "train"}, {"batch-size", "max"}, {"gpus", "2"}}, kThreeGpus).open.front().id,
            "mlp/train/cuda/bmax/fp32/eager/synthetic+gpus=2");
  EXPECT_EQ(refusal_of({{"batch-size", "max"}, {"gpus", "2"}, {"scaling", "strong"}}),
            "--batch-size: max and best look for the batch of one process, but with --scaling strong it is the total; "
            "give a number");
  EXPECT_EQ(refusal_of({{"batch-size", "best"}, {"ranks", "2"}}, kCpu),
            "--batch-size: max and best try how much memory one process can have, but several on the CPU share it; "
            "give a number");
}

TEST(Ranks, AverageGradientsInBuckets) {
  const Texts sized{{"batch-size", "8"}, {"gpus", "1,2"}, {"bucket-size", "1MiB"}};
  EXPECT_EQ(places(sized), (Ids{"cuda/b8", "cuda/b8+bucket-size=1MiB+gpus=2"}));
  const std::vector<schema::PlannedCase> both =
      planned_on({{"gpus", "1,2"}, {"bucket-size", "25600KiB"}}, kThreeGpus).cases;
  EXPECT_EQ(both.at(0).spec.bucket_bytes, std::nullopt);
  EXPECT_EQ(both.at(1).spec.bucket_bytes, std::int64_t{25} << 20);
  EXPECT_EQ(both.at(3).spec.mode, schema::Mode::infer);
  EXPECT_EQ(both.at(3).spec.bucket_bytes, std::nullopt);
}

TEST(Ranks, MustBeSeveralForTheirOptions) {
  for (const auto& [name, text] : Texts{{"scaling", "strong"}, {"bucket-size", "1MiB"}, {"rendezvous-timeout", "5s"}})
    EXPECT_EQ(refusal_of({{name, text}}),
              "--" + name + ": is for several processes; add --gpus or --ranks, or leave it out");
  EXPECT_EQ(places({{"ranks", "1"}, {"scaling", "strong"}}, kCpu), (Ids{"cpu/b64"}));
  Host host = machine_with(kCpu);
  host.launched = LaunchedRanks{"torchrun", 2, 2, 0, 2};
  const Texts strong{{"model", "mlp"}, {"scaling", "strong"}};
  EXPECT_EQ(plan_cases({tests::settings_of(strong)}, tests::project_catalog(), host).cases.front().spec.scaling,
            schema::Scaling::strong);
}

TEST(Ranks, RefuseWorkThatCannotBeShared) {
  const Texts published{{"as-published", "true"}, {"iterations", "5"}};
  Texts texts = published;
  texts.emplace_back("ranks", "2");
  EXPECT_EQ(refusal_of(texts, kCpu), "--ranks: the published scripts ran in one process; leave out --as-published");
  texts.back() = {"gpus", "2"};
  EXPECT_EQ(refusal_of(texts), "--gpus: the published scripts ran in one process; leave out --as-published");
}

TEST(Ranks, WaitAMinuteForEachOther) {
  EXPECT_EQ(planned_on({{"gpus", "2"}}, kThreeGpus).cases.front().rendezvous_timeout_seconds, 60);
  EXPECT_EQ(
      planned_on({{"gpus", "2"}, {"rendezvous-timeout", "2m"}}, kThreeGpus).cases.front().rendezvous_timeout_seconds,
      120);
}

}  // namespace
}  // namespace mpsbench::suite
