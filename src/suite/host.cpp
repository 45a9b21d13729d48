#include "suite/host.hpp"

#include "base/error.hpp"
#include "base/json_reader.hpp"
#include "base/system_files.hpp"
#include "base/units.hpp"
#include "suite/option_forms.hpp"

#include <algorithm>
#include <cctype>

namespace mpsbench::suite {

namespace {

std::vector<int> cpus_of(const std::string& list) {
  return base::parse_cpu_list(list).value_or(std::vector<int>());
}

using schema::DeviceId;
using schema::DeviceKindRow;
using schema::DeviceStatus;

constexpr const char* kAutomatic = "auto";
constexpr const char* kAll = "all";
constexpr const auto& kKinds = schema::ClosedSet<schema::DeviceKind>::kRows;

// Adds to the names of devices the words that choose among them.
std::vector<std::string> with_choices(std::vector<std::string> names) {
  names.insert(names.begin(), kAutomatic);
  names.emplace_back(kAll);
  return names;
}

std::string in_case(std::string_view word, int (*change)(int)) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return text;
}

const DeviceStatus* find(const std::vector<DeviceStatus>& devices, const DeviceId& device) {
  const auto found = std::ranges::find(devices, device, &DeviceStatus::device);
  return found == devices.end() ? nullptr : &*found;
}

// Returns the best usable device. If there are several devices of its kind, returns the first of them.
DeviceId automatic(const std::vector<DeviceStatus>& devices) {
  DeviceId best("cpu");
  for (const DeviceStatus& status : devices) {
    if (status.usable && status.device.index == 0 && row_of(status.device.kind).rank > row_of(best.kind).rank)
      best = status.device;
  }
  return best;
}

std::vector<DeviceId> expand(const DeviceChoice& choice, const DeviceList& devices) {
  if (choice.kind == DeviceChoice::Kind::automatic) return {automatic(devices())};
  if (choice.kind == DeviceChoice::Kind::one) return {choice.device};
  std::vector<DeviceId> usable;
  for (const DeviceStatus& status : devices()) {
    if (status.usable) usable.push_back(status.device);
  }
  return usable;
}

std::string why_no_device(const DeviceId& device, const DeviceList& devices) {
  if (device.row().is_host) return "";
  if (const DeviceStatus* status = find(devices(), device)) return status->reason;
  const DeviceStatus* first = find(devices(), DeviceId(device.kind));
  if (first != nullptr && !first->usable) return first->reason;
  return "device '" + to_string(device) + "' not found; see `mpsbench list devices`";
}

// Each rank needs a GPU of its own.
std::string why_too_few(const schema::CaseSpec& spec, const DeviceList& devices) {
  if (spec.ranks == 1 || !spec.device.row().one_a_rank) return "";
  const std::int64_t here = usable_count(spec.device.kind, devices);
  if (here >= spec.ranks) return "";
  return std::to_string(spec.ranks) + " GPUs are needed, but " + std::to_string(here) + (here == 1 ? " is" : " are") +
         " usable here; lower --gpus";
}

// Returns how many devices of KIND this process sees, usable or not.
std::int64_t seen_count(schema::DeviceKind kind, const DeviceList& devices) {
  return std::ranges::count_if(devices(), [kind](const DeviceStatus& status) { return status.device.kind == kind; });
}

// The processes on this machine share its GPUs out by their numbers, unless each sees only its own.
std::string why_not_shared_out(schema::DeviceKind kind, const DeviceList& devices, const LaunchedRanks& launched) {
  const std::int64_t seen = seen_count(kind, devices);
  if (seen <= 1 || seen >= launched.local_ranks) return "";
  return "the " + std::to_string(launched.local_ranks) + " ranks on this machine need a GPU each, but this one sees " +
         std::to_string(seen) + "; start fewer, or let each see one GPU only, as srun --gpus-per-task=1 does";
}

template <schema::Closed Enum>
std::string why_not_offered(const std::vector<schema::Offer<Enum>>& offers, Enum wanted) {
  for (const schema::Offer<Enum>& offer : offers) {
    if (offer.value == wanted) return offer.reason;
  }
  return "";
}

// Returns "Apple's GPU is mps, NVIDIA's is cuda".
std::string makers_text() {
  std::string text;
  for (const DeviceKindRow& row : kKinds) {
    if (row.maker.empty()) continue;
    text += (text.empty() ? "" : ", ") + std::string(row.maker) + (text.empty() ? "'s GPU is " : "'s is ") +
            std::string(row.name);
  }
  return text;
}

bool means_some_gpu(const std::string& name) {
  return name == "gpu" || name == "metal" || std::any_of(kKinds.begin(), kKinds.end(), [&](const DeviceKindRow& row) {
           return !row.maker.empty() && in_case(row.maker, std::tolower) == name;
         });
}

// Says what is wrong with NAME, which is not a device.
std::string what_is_wrong(const std::string& name) {
  const std::string known = "; known: " + base::join(device_words());
  if (name.empty()) return "must not be empty" + known;
  const std::size_t colon = name.find(':');
  const auto kind = schema::parse_name<schema::DeviceKind>(name.substr(0, colon));
  if (kind && row_of(*kind).asynchronous) {
    const std::string first = to_string(*kind);
    if (!row_of(*kind).indexed)
      return "'" + name + "': there is only one " + in_case(first, std::toupper) + " device; write " + first;
    return "'" + name + "': expected " + first + ":0 to " + first + ":" + std::to_string(schema::kMostDeviceIndex);
  }
  return "unknown device '" + name + "'" +
         (means_some_gpu(name) ? " (" + makers_text() + ")" : base::did_you_mean(name, device_completions())) + known;
}

}  // namespace

std::string why_unusable(const std::string& list, const Cpus& cpus) {
  if (cpus.usable.empty()) return "this system cannot bind a program to CPUs; leave --affinity out";
  for (const int cpu : cpus_of(list)) {
    if (!std::binary_search(cpus.usable.begin(), cpus.usable.end(), cpu))
      return "CPU " + std::to_string(cpu) + " cannot be used here; choose from " + base::format_cpu_list(cpus.usable);
  }
  return "";
}

std::int64_t cores_of(const std::string& list, const Cpus& cpus) {
  return cpus.cores(cpus_of(list));
}

std::vector<std::string> device_words() {
  return with_choices(schema::device_forms());
}

std::vector<std::string> device_completions() {
  return with_choices(schema::names_of<schema::DeviceKind>());
}

std::string device_pattern() {
  std::string pattern = kAutomatic;
  for (const DeviceKindRow& row : kKinds) {
    pattern += "|" + std::string(row.name);
    if (row.asynchronous) pattern += row.indexed ? "(:[0-9]{1,3})?" : "(:0)?";
  }
  return pattern + "|" + kAll;
}

DeviceChoice parse_device(const std::string& name) {
  if (name == kAutomatic) return {DeviceChoice::Kind::automatic, {}};
  if (name == kAll) return {DeviceChoice::Kind::all, {}};
  if (const auto device = DeviceId::parse(name)) return {DeviceChoice::Kind::one, *device};
  throw base::usage_error(what_is_wrong(name));
}

std::vector<DeviceId> resolve_devices(const std::vector<DeviceChoice>& choices, const DeviceList& devices) {
  std::vector<DeviceId> resolved;
  for (const DeviceChoice& choice : choices) {
    for (const DeviceId& device : expand(choice, devices)) {
      if (std::find(resolved.begin(), resolved.end(), device) == resolved.end()) resolved.push_back(device);
    }
  }
  return resolved;
}

std::int64_t usable_count(schema::DeviceKind kind, const DeviceList& devices) {
  for (std::int64_t count = 0;; ++count) {
    const DeviceStatus* status = find(devices(), DeviceId(kind, count));
    if (status == nullptr || !status->usable) return count;
  }
}

DeviceId own_device(schema::DeviceKind kind, const DeviceList& devices, const LaunchedRanks& launched) {
  if (!row_of(kind).indexed || seen_count(kind, devices) == 1) return DeviceId(kind);
  return DeviceId(kind, launched.local_rank);
}

std::string why_unsupported(const schema::CaseSpec& spec, const DeviceList& devices,
                            const std::optional<LaunchedRanks>& launched) {
  const bool has_own = launched && spec.ranks > 1 && spec.device.row().one_a_rank;
  if (std::string reason = has_own ? why_not_shared_out(spec.device.kind, devices, *launched) : ""; !reason.empty())
    return reason;
  const DeviceId device = has_own ? own_device(spec.device.kind, devices, *launched) : spec.device;
  if (std::string reason = why_no_device(device, devices); !reason.empty()) return reason;
  if (std::string reason = launched ? "" : why_too_few(spec, devices); !reason.empty()) return reason;
  if (row_of(spec.engine).one_shape && spec.pad == schema::Pad::longest)
    return "--engine " + to_string(spec.engine) +
           " runs steps of one shape, but with --pad longest shapes differ; use --pad max or --engine eager";
  if (row_of(spec.engine).packaged && spec.device.kind == schema::DeviceKind::mps && row_of(spec.mode).trains)
    return "--engine " + to_string(spec.engine) + " only infers on mps; use --mode infer or --engine eager";
  if (row_of(spec.precision).everywhere && row_of(spec.engine).everywhere) return "";
  const DeviceStatus* status = find(devices(), device);
  if (status == nullptr) return "";
  if (std::string reason = why_not_offered(status->precisions, spec.precision); !reason.empty()) return reason;
  return why_not_offered(status->engines, spec.engine);
}

}  // namespace mpsbench::suite
