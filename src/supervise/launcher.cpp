#include "supervise/launcher.hpp"

#include "base/error.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace mpsbench::supervise {
namespace {

constexpr std::int64_t kDefaultPort = 29500;  // torchrun's, too
constexpr const char* kDefaultAddress = "127.0.0.1";

// A launcher's variables. It is the launcher of this process if all of them are set that it has.
struct LauncherVariables {
  const char* name;
  const char* rank;
  const char* ranks;
  const char* local_rank;   // null: it has none
  const char* local_ranks;  // null: it has none
};

// The first that fits counts: one may run inside a job of another. Slurm sets SLURM_PROCID and SLURM_NTASKS
// in batch scripts, too, but SLURM_STEP_NUM_TASKS only for what srun starts.
constexpr std::array kLaunchers{
    LauncherVariables{"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    LauncherVariables{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                      "OMPI_COMM_WORLD_LOCAL_SIZE"},
    LauncherVariables{"mpirun", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    LauncherVariables{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
    LauncherVariables{"mpirun", "PMI_RANK", "PMI_SIZE", nullptr, nullptr},
};

// Throws Error(usage) unless the variable, which is set, is a number from LEAST to MOST.
std::int64_t number_of(const Variables& variables, const char* name, std::int64_t least, std::int64_t most) {
  std::string_view text = variables(name);
  // Slurm's SLURM_STEP_TASKS_PER_NODE is a list such as "2(x3),1". The first nodes have the most tasks.
  if (std::string_view(name).starts_with("SLURM_STEP_TASKS")) text = text.substr(0, text.find_first_of("(,"));
  const auto number = base::parse_whole_number(text);
  if (number && *number >= least && *number <= most) return *number;
  throw base::usage_error(std::string(name) + ": '" + base::excerpt(text) + "' is not a number from " +
                          std::to_string(least) + " to " + std::to_string(most) +
                          "; a launcher such as torchrun sets it");
}

std::string text_of(const Variables& variables, const char* name) {
  const char* text = variables(name);
  return text == nullptr ? "" : text;
}

void add_address(const Variables& variables, LauncherPlace& place) {
  constexpr std::int64_t kMostPort = std::numeric_limits<std::uint16_t>::max();
  place.address = text_of(variables, "MASTER_ADDR");
  if (place.address.empty() && place.local_ranks < place.ranks)
    throw base::usage_error("MASTER_ADDR: " + place.launcher + " started " + std::to_string(place.ranks) +
                            " ranks on several machines, but does not say where they meet; set it to the "
                            "address of rank 0's machine, on all machines");
  if (place.address.empty()) place.address = kDefaultAddress;
  place.port = variables("MASTER_PORT") == nullptr ? kDefaultPort : number_of(variables, "MASTER_PORT", 1, kMostPort);
}

// Throws Error(usage) if variables of torchrun say that there are several ranks, but not where this one is.
// Each rank would otherwise run alone.
void refuse_half_a_place(const Variables& variables) {
  const bool has_rank = variables("RANK") != nullptr;
  const bool has_ranks = variables("WORLD_SIZE") != nullptr;
  if (!has_rank && !has_ranks) return;
  if (text_of(variables, "WORLD_SIZE") == "1") return;
  if (!has_rank || !has_ranks)
    throw base::usage_error(std::string(has_rank ? "RANK" : "WORLD_SIZE") + " is set, but " +
                            (has_rank ? "WORLD_SIZE" : "RANK") +
                            " is not; set it, too, as torchrun does, or unset both");
  for (const char* name : {"LOCAL_RANK", "LOCAL_WORLD_SIZE"}) {
    if (variables(name) == nullptr)
      throw base::usage_error("RANK and WORLD_SIZE are set, but " + std::string(name) +
                              " is not; set it, too, as torchrun does, or unset RANK and WORLD_SIZE");
  }
}

// Returns the place without the address, or nullopt if there is no launcher or only one process.
std::optional<LauncherPlace> place_among_ranks(const Variables& variables) {
  constexpr std::int64_t kMostRanks = 1'000'000;
  const auto found = std::ranges::find_if(kLaunchers, [&](const LauncherVariables& one) {
    const auto has = [&](const char* name) { return name == nullptr || variables(name) != nullptr; };
    return has(one.rank) && has(one.ranks) && has(one.local_rank) && has(one.local_ranks);
  });
  if (found == kLaunchers.end()) {
    refuse_half_a_place(variables);
    return std::nullopt;
  }
  LauncherPlace place;
  place.launcher = found->name;
  place.ranks = number_of(variables, found->ranks, 1, kMostRanks);
  if (place.ranks == 1) return std::nullopt;
  place.rank = number_of(variables, found->rank, 0, place.ranks - 1);
  place.local_rank = place.rank;
  place.local_ranks = place.ranks;
  if (found->local_rank != nullptr) place.local_rank = number_of(variables, found->local_rank, 0, place.ranks - 1);
  if (found->local_ranks != nullptr) place.local_ranks = number_of(variables, found->local_ranks, 1, place.ranks);
  return place;
}

}  // namespace

std::optional<LauncherPlace> launcher_place(const Variables& variables) {
  std::optional<LauncherPlace> place = place_among_ranks(variables);
  if (!place) return std::nullopt;
  add_address(variables, *place);
  place->has_store = text_of(variables, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  return place;
}

bool is_first_on_machine(const Variables& variables) {
  const std::optional<LauncherPlace> place = place_among_ranks(variables);
  return !place || place->local_rank == 0;
}

}  // namespace mpsbench::supervise
