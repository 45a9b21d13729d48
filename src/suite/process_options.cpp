#include "suite/process_options.hpp"

#include "base/units.hpp"
#include "suite/option_row.hpp"
#include "suite/option_words.hpp"

namespace mpsbench::suite {

std::vector<Option> process_options() {
  constexpr auto kGroup = OptionGroup::workload;
  constexpr std::int64_t kMaxThreads = 4096;
  constexpr std::int64_t kMaxRanks = 65'536;
  return {
      row(&Settings::threads, "", "N,...",
          "threads inside an operation: 1,2,4 or a range 1-8*2 (default: OMP_NUM_THREADS, otherwise all "
          "usable cores; on a Mac the performance cores)",
          kGroup, whole_numbers(kMaxThreads)),
      row(&Settings::ranks, "", "N,...",
          "processes on the CPU that train or infer together, each with its own batch: 1,2,4 or a range "
          "1-8*2; gradients are averaged over all (default: 1, or all that a launcher has started)",
          kGroup, whole_numbers(kMaxRanks), kOfNetworks),
      row(&Settings::gpus, "", "N,...|all",
          "the same with one process on each of N NVIDIA GPUs: 1,2,4, a range or all (default: as for "
          "--ranks)",
          kGroup, gpu_counts(kMaxRanks), kOfNetworks),
      row(&Settings::scaling, "", names_text<schema::Scaling>("|"),
          "with several processes: " + told_of<schema::Scaling>() + " (default: weak)", kGroup,
          one_of<schema::Scaling>(), kOfNetworks),
      row(&Settings::bucket_bytes, "", "SIZE",
          "with several processes: the most bytes of gradients that are averaged at once (default: three "
          "eighths of all, and at least 25MiB)",
          kGroup, byte_size(), kOfNetworks),
      row(&Settings::interop_threads, "", "N,...",
          "threads that run operations side by side (default: LibTorch's)", kGroup,
          whole_numbers(kMaxThreads), kOfNetworks),
      row(&Settings::affinity, "", "CPUS",
          "CPUs that the worker may use, as in 0-3,8; the default of --threads is then at most the "
          "number of their cores (default: all; only on Linux)",
          kGroup, cpu_list()),
  };
}

}  // namespace mpsbench::suite
