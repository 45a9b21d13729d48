#include "run/fronts/fronts.hpp"

#include "run/support.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::run {
namespace {

constexpr const char* kLibtorch = "2.13.0";

schema::FrontFacts at_rank(std::int64_t rank, schema::FrontFacts facts) {
  facts.rank = rank;
  return facts;
}

class FrontFactsTest : public testing::Test {
 protected:
  FrontFactsTest() : record_(tests::quick_run(1)) { place_.ranks = 2; }

  [[nodiscard]] schema::FrontFacts facts() const {
    schema::FrontFacts facts = front_facts(2, &record_);
    facts.libtorch = kLibtorch;
    return facts;
  }

  // Why this front and one with these facts cannot measure together. The name of the machine is left out.
  std::string refusal(schema::FrontFacts other) {
    other.rank = 1;
    return refusal_of({facts(), std::move(other)});
  }
  std::string refusal_of(const std::vector<schema::FrontFacts>& fronts) {
    try {
      require_agreement(fronts, place_);
    } catch (const base::Error& error) {
      kind_ = error.kind();
      std::string text = error.what();
      const std::string host = " (on " + facts().host + ")";
      if (const std::size_t at = text.find(host); at != std::string::npos) text.erase(at, host.size());
      return text;
    }
    return "";
  }

  tests::Scratch scratch_;
  schema::RunRecord record_;
  schema::GroupPlace place_;
  base::ErrorKind kind_ = base::ErrorKind::internal;
};

TEST_F(FrontFactsTest, MayHaveFilesElsewhereAndOtherCores) {
  record_.run.planned[0].weights_path = scratch_.write("a/w.safetensors", "same");
  schema::FrontFacts other = facts();
  record_.run.planned[0].weights_path = scratch_.write("b/w.safetensors", "same");
  record_.run.planned[0].spec.threads += 3;
  EXPECT_EQ(refusal(other), "");
}

TEST_F(FrontFactsTest, NeedOneProgram) {
  const std::string version = facts().version;
  const auto refusal_after = [&](const std::function<void(schema::FrontFacts&)>& change) {
    schema::FrontFacts other = facts();
    change(other);
    return refusal(other);
  };
  EXPECT_EQ(refusal_after([](auto& other) { other.ranks = 3; }),
            "rank 1 has a world size of 3, but rank 0 has 2; start all ranks with the same number of them");
  EXPECT_EQ(refusal_after([](auto& other) { other.version = "9.9"; }),
            "rank 1 has mpsbench 9.9, but rank 0 has " + version + "; install the same on all machines");
  EXPECT_TRUE(refusal_after([](auto& other) {
                other.commit = "abc";
              }).starts_with("rank 1 has mpsbench of commit abc, but rank 0 has "));
  EXPECT_EQ(refusal_after([](auto& other) { other.libtorch = "2.9.0"; }),
            "rank 1 has LibTorch 2.9.0, but rank 0 has 2.13.0; install the same on all machines");
  EXPECT_EQ(kind_, base::ErrorKind::usage);
}

TEST_F(FrontFactsTest, NeedOnePlan) {
  const std::string id = record_.run.planned[0].id;
  const std::string files = " of " + id + "; start all ranks with the same files";
  const std::string options = "; start all ranks with the same options";
  using Change = std::function<void(std::optional<std::vector<schema::CaseFacts>>&)>;
  for (const auto& [change, message] : std::vector<std::pair<Change, std::string>>{
           {[](auto& cases) { cases->at(0).model = "another"; }, "differs from rank 0 in the model file" + files},
           {[](auto& cases) { cases->at(0).data["train.bin"] = "another"; },
            "differs from rank 0 in the data set's files" + files},
           {[](auto& cases) { cases->at(0).options["/measure/max_time_seconds"] = 4.5; },
            "has measure/max_time_seconds 4.5 for " + id + ", but rank 0 has 3.0" + options},
           {[](auto& cases) { cases->at(0).options["/spec/optimizer/nesterov"] = true; },
            "has spec/optimizer/nesterov true for " + id + ", but rank 0 has null" + options},
           {[](auto& cases) { cases->at(0).id = "vgg16"; }, "plans the case vgg16, but rank 0 plans " + id + options},
           {[](auto& cases) {
              cases->push_back(cases->at(0));
              cases->at(1).id = "vgg16";
            },
            "plans 2 cases, but rank 0 plans 1 case, without vgg16" + options},
           {[](auto& cases) { cases->clear(); },
            "plans 0 cases, without " + id + ", but rank 0 plans 1 case" + options},
           {[](auto& cases) {
              cases->at(0).options["/repeats"] = 7;
              cases->at(0).options["/measure/max_time_seconds"] = 0.5;  // of each launch
            },
            "has repeats 7 for " + id + ", but rank 0 has 1" + options},
           {[](auto& cases) { cases.reset(); }, "has another plan than rank 0" + options}}) {  // it resumes a run
    schema::FrontFacts other = facts();
    change(other.cases);
    EXPECT_EQ(refusal(other), "rank 1 " + message);
  }
}

TEST_F(FrontFactsTest, NeedEqualProcessorsForAPackage) {
  const auto cpu = record_.host.cpu;
  record_.host.cpu.model += "X";
  schema::FrontFacts other = facts();
  record_.host.cpu = cpu;
  EXPECT_EQ(refusal(other), "");
  record_.run.planned[0].spec.engine = schema::Engine::compiled;
  EXPECT_EQ(refusal(facts()), "");
  record_.host.cpu.features.emplace_back("avx1024");
  other = facts();
  record_.host.cpu = cpu;
  EXPECT_EQ(refusal(other), "rank 1 differs from rank 0 in the processor or GPU for the package of " +
                                record_.run.planned[0].id + "; use machines of one kind, or another --engine");
}

TEST_F(FrontFactsTest, NeedEqualWeights) {
  record_.run.planned[0].weights_path = scratch_.write("w.safetensors", "some");
  const schema::FrontFacts other = facts();
  scratch_.write("w.safetensors", "others");
  EXPECT_EQ(refusal(other), "rank 1 differs from rank 0 in the weights of " + record_.run.planned[0].id +
                                "; start all ranks with the same files");
}

TEST_F(FrontFactsTest, NeedTheDeviceOnAllMachines) {
  schema::FrontFacts other = facts();
  other.cases->at(0).unusable = "no driver";
  EXPECT_EQ(refusal(other), "rank 1 cannot run " + record_.run.planned[0].id + ": no driver");
  EXPECT_EQ(kind_, base::ErrorKind::no_device);
  other.cases->at(0).options["/repeats"] = 1;  // of a case that cannot run
  EXPECT_NE(refusal(other).find("no driver"), std::string::npos);
  schema::FrontFacts first = other;
  other = facts();
  EXPECT_EQ(refusal_of({first, at_rank(1, other)}), "rank 0 cannot run " + record_.run.planned[0].id + ": no driver");
}

TEST_F(FrontFactsTest, NameTheRankThatIsMissingOrThereTwice) {
  place_ = {.ranks = 2, .address = "node1", .port = 4321, .timeout_seconds = 60};
  const schema::FrontFacts first = facts();
  EXPECT_EQ(refusal_of({first}),
            "rank 1 did not come to node1:4321 within 60 s; check that all 2 ranks have started, MASTER_ADDR and "
            "MASTER_PORT");
  schema::FrontFacts second = first;
  second.rank = 1;
  EXPECT_EQ(refusal_of({first, second, second}),
            "2 processes say that they are rank 1; is another run using port 4321? Then set MASTER_PORT");
}

TEST_F(FrontFactsTest, AgreeIfEqualAlsoWithoutAPlan) {
  EXPECT_EQ(refusal(facts()), "");
  const schema::FrontFacts resumed = front_facts(2, nullptr);
  EXPECT_EQ(refusal_of({resumed, at_rank(1, resumed)}), "");
}

TEST_F(FrontFactsTest, NameOtherMachinesAsReportsDo) {
  schema::FrontFacts other = facts();
  const std::string name = other.host_in_reports;
  std::vector<schema::FrontFacts> fronts{other, at_rank(1, other)};
  EXPECT_TRUE(other_hosts(fronts).empty());
  other.host = "node2";
  fronts.push_back(at_rank(3, other));  // with the same home folder
  fronts.push_back(at_rank(2, other));
  other.host = "node3";
  other.host_in_reports = "epyc-12ab";
  fronts.push_back(at_rank(4, other));
  EXPECT_EQ(other_hosts(fronts),
            (std::map<std::int64_t, std::string>{{2, name + "-2"}, {3, name + "-2"}, {4, "epyc-12ab"}}));
}

}  // namespace
}  // namespace mpsbench::run
