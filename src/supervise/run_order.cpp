#include "supervise/run_order.hpp"

#include "schema/launch_part.hpp"
#include "schema/rank.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace mpsbench::supervise {
namespace {

using schema::Status;

bool is_unfinished(const schema::Launch& launch) {
  constexpr Status kAccidents[] = {Status::crashed, Status::timeout, Status::interrupted, Status::skipped};
  return std::ranges::find(kAccidents, launch.status) != std::end(kAccidents) ||
         (launch.status == Status::failed && schema::is_lost_rank(launch.failure));
}

// Unlike std::shuffle, this gives the same order with every standard library.
void shuffle(std::vector<std::size_t>& block, std::mt19937_64& random) {
  for (std::size_t left = block.size(); left > 1; --left) {
    std::swap(block[left - 1], block[static_cast<std::size_t>(random() % left)]);
  }
}

// Each memory group keeps the places that the shuffle gave it, but fills them with the smallest batch first.
void put_small_batches_first(std::vector<std::size_t>& block, const std::vector<schema::PlannedCase>& plan) {
  std::map<std::string, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < block.size(); ++i) places[memory_group(plan[block[i]].spec)].push_back(i);
  for (const auto& [group, own] : places) {
    std::vector<std::size_t> cases;
    for (const std::size_t place : own) cases.push_back(block[place]);
    std::ranges::stable_sort(cases, {}, [&plan](std::size_t one) { return plan[one].spec.batch_size; });
    for (std::size_t i = 0; i < own.size(); ++i) block[own[i]] = cases[i];
  }
}

}  // namespace

const std::vector<schema::Launch>& launches_of(const schema::RunRecord& record, const std::string& id) {
  static const std::vector<schema::Launch> kNone;
  const auto found = record.launches.find(id);
  return found == record.launches.end() ? kNone : found->second;
}

bool computes_alike(const schema::PlannedCase& a, const schema::PlannedCase& b, schema::Reference reference,
                    schema::Compared quantity) {
  const bool is_same_network = a.definition_sha256 == b.definition_sha256 && a.weights_path == b.weights_path &&
                               a.spec.precision == b.spec.precision && a.spec.device == b.spec.device &&
                               row_of(a.spec.mode).generates == row_of(b.spec.mode).generates;
  const bool is_same_step = a.spec.mode == b.spec.mode && a.spec.loss == b.spec.loss &&
                            a.spec.optimizer == b.spec.optimizer && a.spec.freeze_backbone == b.spec.freeze_backbone;
  if (!is_same_network || (quantity != schema::Compared::output && !is_same_step)) return false;
  if (reference == schema::Reference::cpu) return true;
  return a.spec.engine == b.spec.engine && (!row_of(a.spec.engine).packaged || a.id == b.id);
}

bool condemns(const schema::Launch& failed, const schema::PlannedCase& broken, const schema::PlannedCase& other) {
  if (!failed.failure || failed.failure->kind != schema::kWrongOutput) return false;
  const auto check = std::ranges::find_if_not(failed.agreement, [](const auto& one) { return agrees(one); });
  // An output that is not finite needs no reference.
  if (check == failed.agreement.end())
    return computes_alike(broken, other, schema::Reference::cpu, schema::Compared::output);
  return computes_alike(broken, other, check->reference, check->quantity);
}

bool was_compared(const schema::Launch& launch, schema::Reference reference) {
  return std::any_of(launch.agreement.begin(), launch.agreement.end(),
                     [&](const schema::AgreementCheck& check) { return check.reference == reference; });
}

std::string memory_group(const schema::CaseSpec& spec) {
  return spec.model + '/' + to_string(spec.mode) + '/' + to_string(spec.device) + '/' + to_string(spec.precision) +
         '/' + std::to_string(spec.ranks) + '/' + std::to_string(schema::cached_positions(spec));
}

std::vector<PlannedLaunch> launch_order(const std::vector<schema::PlannedCase>& plan, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::int64_t blocks = 0;
  for (const schema::PlannedCase& planned : plan) blocks = std::max(blocks, planned.repeats);
  // Cases that all count iterations run in the order that the user gave, like the loops of a script.
  const bool in_order = std::ranges::all_of(plan, [](const auto& one) { return one.spec.iterations.has_value(); });
  std::vector<PlannedLaunch> order;
  for (std::int64_t index = 0; index < blocks; ++index) {
    std::vector<std::size_t> block;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (index < plan[i].repeats) block.push_back(i);
    }
    if (!in_order) shuffle(block, random);
    put_small_batches_first(block, plan);
    for (const std::size_t case_index : block) order.push_back({case_index, index});
  }
  return order;
}

bool has_crashed(const schema::RunRecord& record) {
  return std::ranges::any_of(record.launches, [](const auto& launches) {
    return std::ranges::any_of(launches.second, [](const schema::Launch& launch) {
      return launch.status == Status::crashed || schema::is_lost_rank(launch.failure);
    });
  });
}

void drop_unfinished(schema::RunRecord& record) {
  for (auto& [id, launches] : record.launches) {
    const auto dropped = std::stable_partition(launches.begin(), launches.end(), std::not_fn(is_unfinished));
    std::copy_if(dropped, launches.end(), std::back_inserter(record.unfinished[id]), schema::counts);
    launches.erase(dropped, launches.end());
  }
}

void add_launch(schema::RunRecord& record, const std::string& id, schema::Launch launch) {
  std::vector<schema::Launch>& unfinished = record.unfinished[id];
  const std::int64_t index = launch.index;
  for (const schema::Launch& one : unfinished) {
    const bool is_earlier = one.index == index && one.order != launch.order;
    if (is_earlier && schema::counts(one) && !schema::counts(launch)) launch = one;
  }
  std::erase_if(unfinished, [&](const schema::Launch& one) { return one.index == index; });
  record.launches[id].push_back(std::move(launch));
}

std::vector<PlannedLaunch> missing_launches(const schema::RunRecord& record) {
  std::set<std::pair<std::string, std::int64_t>> present;
  for (const auto& [id, launches] : record.launches) {
    for (const schema::Launch& launch : launches) present.emplace(id, launch.index);
  }
  std::vector<PlannedLaunch> missing;
  for (const PlannedLaunch& one : launch_order(record.run.planned, static_cast<std::uint64_t>(record.run.seed))) {
    if (present.count({record.run.planned[one.case_index].id, one.index}) == 0) missing.push_back(one);
  }
  return missing;
}

std::int64_t next_order(const schema::RunRecord& record) {
  std::int64_t next = 0;
  for (const auto* all : {&record.launches, &record.unfinished}) {
    for (const auto& [id, launches] : *all) {
      for (const schema::Launch& launch : launches) next = std::max(next, launch.order + 1);
    }
  }
  return next;
}

}  // namespace mpsbench::supervise
