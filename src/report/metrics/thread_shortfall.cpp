#include "report/metrics/thread_shortfall.hpp"

#include "base/system_files.hpp"
#include "base/units.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace mpsbench::report {
namespace {

constexpr std::array kFewerThreads{"OMP_THREAD_LIMIT",        "OMP_DYNAMIC",     "OMP_MAX_ACTIVE_LEVELS",
                                   "KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS", "KMP_LIBRARY"};
constexpr std::array kFewerCpus{"GOMP_CPU_AFFINITY", "OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY", "KMP_HW_SUBSET"};

void add_process(const std::optional<schema::WorkingThreads>& working, std::int64_t asked, ThreadsAtWork& threads) {
  if (!working) return;
  threads.asked += asked;
  threads.working += working->count;
  const auto cpus = base::parse_cpu_list(working->cpus);
  if (cpus) threads.cpus.insert(cpus->begin(), cpus->end());
}

}  // namespace

std::optional<ThreadShortfall> thread_shortfall(const ThreadsAtWork& threads,
                                                const std::map<std::string, std::string>& environment,
                                                std::size_t allowed) {
  const auto cpus = std::ssize(threads.cpus);
  const std::int64_t possible =
      allowed == 0 ? threads.working : std::min(threads.working, static_cast<std::int64_t>(allowed));
  const bool lacks_threads = threads.working < threads.asked;
  const bool lacks_cpus = cpus > 0 && cpus < possible;
  if (!lacks_threads && !lacks_cpus) return std::nullopt;
  std::string values;
  std::string names;
  const auto blame = [&](std::span<const char* const> variables) {
    for (const std::string name : variables) {
      const auto found = environment.find(name);
      if (found == environment.end() || found->second == "false" || found->second == "FALSE") continue;
      values += (values.empty() ? " (" : ", ") + name + "=" + found->second;
      names += (names.empty() ? "" : " and ") + name;
    }
  };
  if (lacks_threads) blame(kFewerThreads);
  if (lacks_cpus) blame(kFewerCpus);
  if (!values.empty()) values += ')';
  ThreadShortfall shortfall;
  if (lacks_threads) shortfall.what = "only " + std::to_string(threads.working) + " of ";
  shortfall.what += base::counted(threads.asked, "thread works", "threads work");
  if (lacks_cpus) shortfall.what += " on " + base::counted(cpus, "CPU", "CPUs");
  shortfall.what += values;
  shortfall.cure = names.empty() ? "look for what limits this program's threads or CPUs (taskset, cpuset, ulimit -u)"
                                 : "unset " + names;
  if (threads.are_of_one_process)
    shortfall.cure += ", or use --threads " + std::to_string(lacks_cpus ? cpus : threads.working);
  return shortfall;
}

std::optional<ThreadShortfall> thread_shortfall(const schema::WorkingThreads& working, std::int64_t asked,
                                                const std::map<std::string, std::string>& environment,
                                                std::size_t allowed) {
  ThreadsAtWork threads;
  add_process(working, asked, threads);
  return thread_shortfall(threads, environment, allowed);
}

std::optional<ThreadShortfall> thread_shortfall(const schema::CaseSpec& spec, const schema::Launch& launch,
                                                const schema::HostInfo& host, std::size_t allowed) {
  ThreadsAtWork threads;
  threads.are_of_one_process = launch.ranks.size() < 2;
  if (launch.ranks.empty()) add_process(launch.working_threads, spec.threads, threads);
  for (const schema::RankResult& rank : launch.ranks) {
    if (!rank.host) add_process(rank.working_threads, spec.threads, threads);
  }
  const auto chosen = spec.affinity ? base::parse_cpu_list(*spec.affinity) : std::nullopt;
  return thread_shortfall(threads, host.environment, chosen ? chosen->size() : allowed);
}

}  // namespace mpsbench::report
