#include "run/fronts/fronts.hpp"

#include "base/resources.hpp"
#include "run/fronts/front_facts.hpp"
#include "run/plan/default_threads.hpp"
#include "supervise/following_front.hpp"
#include "supervise/front_link.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace mpsbench::run {

namespace {

using supervise::FrontLink;

schema::RendezvousRequest request_of(const supervise::LauncherPlace& place, schema::FrontFacts facts,
                                     double timeout_seconds) {
  schema::RendezvousRequest request;
  request.place = {.rank = place.rank,
                   .ranks = place.ranks,
                   .address = place.address,
                   .port = place.port,
                   .timeout_seconds = timeout_seconds};
  request.keeps_store = place.rank == 0 && !place.has_store;
  request.facts = std::move(facts);
  request.facts.rank = place.rank;
  return request;
}

std::int64_t number_of(base::ExitCode code) {
  return static_cast<std::int64_t>(code);
}

// HOSTS has the names of other machines than rank 0's. Machines may have the same name, but the launcher says
// how many ranks each has.
schema::LauncherInfo launcher_of(const supervise::LauncherPlace& place,
                                 const std::map<std::int64_t, std::string>& hosts) {
  std::set<std::string> names;
  for (const auto& [rank, name] : hosts) names.insert(name);
  const std::int64_t least = (place.ranks + place.local_ranks - 1) / place.local_ranks;
  return {place.launcher, place.ranks, std::max<std::int64_t>(std::ssize(names) + 1, least)};
}

// Tells the others whether all agree, and throws if they do not.
supervise::LeadingFront admit(FrontLink& link, schema::GroupPlace group, const supervise::LauncherPlace& place,
                              const supervise::OwnDevice& own_device) {
  supervise::Interrupt interrupt;
  const schema::MetEvent met = link.meet(interrupt);
  group.prefix = met.prefix;
  const std::map<std::int64_t, std::string> hosts = other_hosts(met.fronts);
  supervise::LeadingFront leading(link, group, own_device, launcher_of(place, hosts), std::ssize(met.fronts) - 1,
                                  hosts);
  const std::optional<base::Error> error = disagreement(met.fronts, group);
  schema::Admission admission;
  if (error) admission = {error->what(), number_of(base::exit_code(error->kind()))};
  link.send(admission);
  if (!error) return leading;
  leading.end(admission.exit_code, interrupt);
  throw base::Error(*error);
}

base::ExitCode lead_run(FrontLink& link, const schema::GroupPlace& group, const supervise::LauncherPlace& place,
                        const supervise::OwnDevice& own_device,
                        const std::function<base::ExitCode(supervise::LeadingFront&)>& lead) {
  supervise::LeadingFront leading = admit(link, group, place, own_device);
  const base::ExitCode code = lead(leading);
  supervise::Interrupt interrupt;
  leading.end(number_of(code), interrupt);
  return code;
}

void require_admission(FrontLink& link, supervise::Interrupt& interrupt) {
  const auto news = link.wait(interrupt);
  if (!news) throw base::Error(base::ErrorKind::interrupted, "stopped before anything was measured");
  if (!news->message)
    throw base::usage_error("rank 0 was lost before anything was measured (" + news->loss +
                            "); see its own message, if it left one, and start all ranks again");
  const auto* admission = std::get_if<schema::Admission>(&*news->message);
  if (admission == nullptr || admission->refusal.empty()) return;
  link.send(schema::EndAnswer{admission->exit_code});
  const bool is_device = admission->exit_code == number_of(base::ExitCode::no_device);
  throw base::Error(is_device ? base::ErrorKind::no_device : base::ErrorKind::usage, admission->refusal);
}

}  // namespace

suite::LaunchedRanks launched_ranks(const supervise::LauncherPlace& place) {
  return {place.launcher, place.ranks, sharing_cores(place.local_ranks), place.local_rank, place.local_ranks};
}

base::ExitCode run_with_fronts(const supervise::LauncherPlace& place, schema::FrontFacts facts, double timeout_seconds,
                               const suite::DeviceList& devices,
                               const std::function<base::ExitCode(supervise::LeadingFront&)>& lead) {
  const std::filesystem::path worker = base::worker_program();
  schema::RendezvousRequest request = request_of(place, std::move(facts), timeout_seconds);
  const schema::GroupPlace group = request.place;
  const supervise::OwnDevice own_device = [&](schema::DeviceKind kind) {
    return suite::own_device(kind, devices, launched_ranks(place));
  };
  FrontLink link(worker, std::move(request));
  if (place.rank == 0) return lead_run(link, group, place, own_device, lead);
  supervise::Interrupt interrupt;
  (void)link.meet(interrupt);
  require_admission(link, interrupt);
  return static_cast<base::ExitCode>(supervise::follow_orders(link, worker, place.rank, own_device, interrupt));
}

}  // namespace mpsbench::run
