#include "run/plan/default_threads.hpp"

#include "base/cpu_list.hpp"
#include "base/units.hpp"
#include "report/host/host_capture.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <regex>
#include <vector>

namespace mpsbench::run {

namespace {

constexpr std::int64_t kMostThreads = 4096;

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlank = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// What the OpenMP libraries take. They ignore other values.
struct TakenValues {
  const char* name;
  const char* pattern;
  const char* words;
};
constexpr TakenValues kTaken[] = {{"OMP_THREAD_LIMIT", "0*[1-9][0-9]*", "no whole number from 1"},
                                  {"OMP_MAX_ACTIVE_LEVELS", "[0-9]+", "no whole number"},
                                  {"OMP_DYNAMIC", "true|false|yes|no|on|off|1|0", "neither true nor false"},
                                  {"OMP_PROC_BIND", "(true|false|master|primary|close|spread)(\\s*,.*)?",
                                   "none of true, false, close, spread and primary"},
                                  {"OMP_WAIT_POLICY", "active|passive", "neither active nor passive"},
                                  {"OMP_STACKSIZE", "[0-9]+\\s*[bkmgt]?", "no size such as 4M"}};

// Adds those of kTaken in ENVIRONMENT that have no such value to TEXTS.
void add_not_taken(const std::map<std::string, std::string>& environment, std::vector<std::string>& texts) {
  for (const TakenValues& one : kTaken) {
    const auto found = environment.find(one.name);
    if (found == environment.end()) continue;
    const std::string& value = found->second;
    if (!std::regex_match(std::string(trimmed(value)), std::regex(one.pattern, std::regex::icase)))
      texts.push_back(found->first + "=" + base::excerpt(value) + " is ignored, because it is " + one.words +
                      "; correct it, or unset it");
  }
}

std::optional<std::int64_t> own_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  return threads_of(text == nullptr ? "" : text);
}

}  // namespace

std::optional<std::int64_t> threads_of(std::string_view omp_num_threads) {
  std::optional<std::int64_t> first;
  for (const std::string& part : base::split_list(omp_num_threads).value_or(std::vector<std::string>{})) {
    const auto number = base::parse_whole_number(trimmed(part));
    if (!number || *number < 1 || *number > kMostThreads) return std::nullopt;
    first = first.value_or(*number);
  }
  return first;
}

std::vector<std::string> ignored_thread_variables(const std::map<std::string, std::string>& environment,
                                                  std::int64_t default_threads) {
  std::vector<std::string> texts;
  const auto value_of = [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  if (const std::string omp = value_of("OMP_NUM_THREADS"); !omp.empty() && !threads_of(omp))
    texts.push_back("OMP_NUM_THREADS=" + base::excerpt(omp) + " is ignored, because it is no whole number from 1 to " +
                    std::to_string(kMostThreads) + "; set it to one, or use --threads");
  if (const std::string mkl = value_of("MKL_NUM_THREADS"); !mkl.empty() && threads_of(mkl) != default_threads)
    texts.push_back("MKL_NUM_THREADS=" + base::excerpt(mkl) +
                    " is ignored, because --threads or OMP_NUM_THREADS sets the threads of all libraries; use one "
                    "of them");
  add_not_taken(environment, texts);
  return texts;
}

std::int64_t default_threads() {
  const std::optional<std::int64_t> own = own_threads();
  return own ? *own : report::usable_cores();
}

std::int64_t sharing_cores(std::int64_t local_ranks) {
  const std::vector<int> allowed = base::allowed_cpus();  // empty: not known
  const bool is_bound = !allowed.empty() && std::ssize(allowed) < ::sysconf(_SC_NPROCESSORS_ONLN);
  return is_bound || own_threads() ? 1 : local_ranks;
}

suite::Cpus usable_cpus() {
  return {base::allowed_cpus(), [](const std::vector<int>& cpus) { return report::usable_cores(cpus); }};
}

}  // namespace mpsbench::run
