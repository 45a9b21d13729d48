#include "supervise/launcher.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <map>

namespace mpsbench::supervise {
namespace {

using Set = std::map<std::string, std::string>;

// SET must outlive the result.
Variables variables_of(const Set& set) {
  return [&set](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? nullptr : found->second.c_str();
  };
}

std::optional<LauncherPlace> place_of(const Set& set) {
  return launcher_place(variables_of(set));
}

std::string refusal(const Set& variables) {
  return tests::usage_error_of([&] { (void)place_of(variables); });
}

const Set kTorchrun{{"RANK", "3"},
                    {"WORLD_SIZE", "4"},
                    {"LOCAL_RANK", "1"},
                    {"LOCAL_WORLD_SIZE", "2"},
                    {"MASTER_ADDR", "node7"},
                    {"MASTER_PORT", "4321"},
                    {"TORCHELASTIC_USE_AGENT_STORE", "True"}};
const Set kOpenMpi{{"OMPI_COMM_WORLD_RANK", "1"},
                   {"OMPI_COMM_WORLD_SIZE", "2"},
                   {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                   {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
const Set kSlurm{{"SLURM_PROCID", "5"},
                 {"SLURM_STEP_NUM_TASKS", "6"},
                 {"SLURM_LOCALID", "1"},
                 {"SLURM_STEP_TASKS_PER_NODE", "2(x3)"},
                 {"MASTER_ADDR", "node1"}};

Set with(Set variables, const std::string& name, const std::string& value) {
  variables[name] = value;
  return variables;
}

TEST(Launcher, IsNobodyWithoutItsVariablesOrForASingleProcess) {
  for (const Set& set : {Set{},
                         {{"MASTER_ADDR", "node7"}, {"MASTER_PORT", "1"}},
                         {{"RANK", "0"}, {"WORLD_SIZE", "1"}},
                         with(with(kTorchrun, "WORLD_SIZE", "1"), "RANK", "0"),
                         // Slurm, in a batch script of a job with four tasks.
                         {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_LOCALID", "0"}}})
    EXPECT_FALSE(place_of(set));
}

TEST(Launcher, MustSayWhereARankOfSeveralIs) {
  EXPECT_EQ(refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}),
            "RANK and WORLD_SIZE are set, but LOCAL_WORLD_SIZE is not; set it, too, as torchrun does, or unset "
            "RANK and WORLD_SIZE");
  EXPECT_TRUE(tests::contains(refusal({{"RANK", "0"}, {"WORLD_SIZE", "x"}}), "LOCAL_RANK is not"));
  const std::string cure = " is not; set it, too, as torchrun does, or unset both";
  EXPECT_EQ(refusal({{"RANK", "0"}}), "RANK is set, but WORLD_SIZE" + cure);
  EXPECT_EQ(refusal({{"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}), "WORLD_SIZE is set, but RANK" + cure);
}

TEST(Launcher, IsTorchrunMpirunOrSrun) {
  EXPECT_EQ(place_of(kTorchrun), (LauncherPlace{{3, 4, "node7", 4321}, "torchrun", 1, 2, true}));
  EXPECT_EQ(place_of(kOpenMpi), (LauncherPlace{{1, 2, "127.0.0.1", 29500}, "mpirun", 1, 2, false}));
  const Set mpich{{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}};
  EXPECT_EQ(place_of(mpich), place_of(kOpenMpi));
  EXPECT_EQ(place_of({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}), place_of(kOpenMpi));
  EXPECT_EQ(place_of(kSlurm), (LauncherPlace{{5, 6, "node1", 29500}, "srun", 1, 2, false}));
}

TEST(Launcher, TellsTheFirstProcessOfEachMachine) {
  const auto is_first = [](const Set& set) { return is_first_on_machine(variables_of(set)); };
  EXPECT_TRUE(is_first({}));
  EXPECT_FALSE(is_first(kTorchrun));
  EXPECT_TRUE(is_first(with(kTorchrun, "LOCAL_RANK", "0")));
  EXPECT_TRUE(is_first({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}));
  // Several machines without MASTER_ADDR.
  EXPECT_FALSE(is_first(with(kOpenMpi, "OMPI_COMM_WORLD_SIZE", "4")));
}

TEST(Launcher, IsTheInnermost) {
  Set both = kSlurm;
  both.insert(kOpenMpi.begin(), kOpenMpi.end());
  EXPECT_EQ(place_of(both)->launcher, "mpirun");
  both.insert(kTorchrun.begin(), kTorchrun.end());
  EXPECT_EQ(place_of(both)->launcher, "torchrun");
}

TEST(Launcher, MustNameAnAddressForSeveralMachines) {
  EXPECT_EQ(refusal(with(kOpenMpi, "OMPI_COMM_WORLD_SIZE", "4")),
            "MASTER_ADDR: mpirun started 4 ranks on several machines, but does not say where they meet; set it to "
            "the address of rank 0's machine, on all machines");
}

TEST(Launcher, MustSetNumbers) {
  EXPECT_EQ(refusal(with(kTorchrun, "RANK", "4")),
            "RANK: '4' is not a number from 0 to 3; a launcher such as torchrun sets it");
  EXPECT_NE(refusal(with(kTorchrun, "WORLD_SIZE", "two")).find("WORLD_SIZE: 'two'"), std::string::npos);
  EXPECT_NE(refusal(with(kTorchrun, "MASTER_PORT", "0")).find("MASTER_PORT: '0'"), std::string::npos);
}

}  // namespace
}  // namespace mpsbench::supervise
