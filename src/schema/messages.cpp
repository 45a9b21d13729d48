#include "schema/messages.hpp"

#include "base/json_file.hpp"
#include "schema/optional_json.hpp"
#include "schema/working_threads_json.hpp"

#include <sys/types.h>

#include <limits>
#include <type_traits>

namespace mpsbench::schema {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json package_json(const std::optional<PackageFile>& package) {
  return package ? to_json(*package) : ordered_json(nullptr);
}

ordered_json body(const LaunchRequest& request) {
  return {{"request", "launch"},
          {"protocol", kProtocolVersion},
          {"front_pid", request.front_pid},
          {"spec", to_json(request.spec)},
          {"plan", ordered_json(to_json(request.network_plan))},
          {"measure", to_json(request.measure)},
          {"check_output", request.check_output},
          {"check_engine", request.check_engine},
          {"weights", or_null(request.weights)},
          {"data_folder", or_null(request.data_folder)},
          {"vocabulary", or_null(request.vocabulary)},
          {"dump_first_step", or_null(request.dump_first_step)},
          {"package", package_json(request.package)},
          {"check_package", package_json(request.check_package)},
          {"group", request.group ? to_json(*request.group) : ordered_json(nullptr)},
          {"report_losses", request.report_losses}};
}

ordered_json body(const ProbeRequest& request) {
  return {{"request", "probe"},
          {"protocol", kProtocolVersion},
          {"front_pid", request.front_pid},
          {"threads", request.threads}};
}

ordered_json body(const RendezvousRequest& request) {
  return {{"request", "rendezvous"},
          {"protocol", kProtocolVersion},
          {"front_pid", request.front_pid},
          {"place", to_json(request.place)},
          {"keeps_store", request.keeps_store},
          {"facts", request.facts}};
}

ordered_json body(const HelloEvent& event) {
  return {{"event", "hello"}, {"protocol", event.protocol}, {"libtorch", to_json(event.libtorch)}};
}

ordered_json body(const PhaseEvent& event) {
  return {{"event", "phase"}, {"phase", to_string(event.phase)}};
}

ordered_json body(const GpuEvent& event) {
  return {{"event", "gpu"}, {"pci_bus_id", event.pci_bus_id}};
}

ordered_json body(const ProgressEvent& event) {
  return {{"event", "progress"},
          {"samples", event.samples},
          {"step_seconds", event.step_seconds},
          {"noise", or_null(event.noise)},
          {"loss", or_null(event.loss)}};
}

ordered_json body(const LossEvent& event) {
  return {{"event", "loss"},      {"epoch", event.epoch},     {"epochs", event.epochs},
          {"batch", event.batch}, {"batches", event.batches}, {"loss", or_null(event.loss)}};
}

ordered_json body(const PartEvent& event) {
  return {{"event", "part"}, {"launch", to_json(event.launch)}};
}

ordered_json body(const ResultEvent& event) {
  return {{"event", "result"}, {"launch", to_json(event.launch)}};
}

ordered_json body(const FailureEvent& event) {
  return {{"event", "failure"}, {"status", to_string(event.status)}, {"failure", to_json(event.failure)}};
}

ordered_json body(const ProbeEvent& event) {
  ordered_json devices = ordered_json::array();
  for (const DeviceStatus& status : event.devices) devices.push_back(to_json(status));
  return {{"event", "probe"},
          {"devices", std::move(devices)},
          {"tool", event.tool ? to_json(*event.tool) : ordered_json(nullptr)},
          {"libtorch_folder", event.libtorch_folder},
          {"threads", Json<WorkingThreads>::write(event.threads)}};
}

ordered_json body(const MetEvent& event) {
  ordered_json fronts = ordered_json::array();
  for (const FrontFacts& one : event.fronts)
    fronts.push_back({{"rank", one.rank}, {"libtorch", one.libtorch}, {"facts", one.facts}});
  return {{"event", "met"}, {"prefix", event.prefix}, {"fronts", std::move(fronts)}};
}

ordered_json body(const MessageEvent& event) {
  return {{"event", "message"}, {"rank", event.rank}, {"text", event.text}};
}

ordered_json body(const LostEvent& event) {
  return {{"event", "lost"}, {"rank", event.rank}, {"reason", event.reason}};
}

std::optional<PackageFile> package_or_null(const base::Reader& reader) {
  return reader.is_null() ? std::nullopt : std::optional(read_package_file(reader));
}

std::int64_t read_front_pid(base::Reader& reader) {
  return reader.at("front_pid").integer(0, std::numeric_limits<pid_t>::max());
}

LaunchRequest read_launch_request(base::Reader& reader) {
  LaunchRequest request;
  request.front_pid = read_front_pid(reader);
  request.spec = read_case_spec(reader.at("spec"));
  request.network_plan = read_network_plan(reader.at("plan"));
  request.measure = read_measure_spec(reader.at("measure"));
  request.check_output = reader.at("check_output").boolean();
  request.check_engine = reader.at("check_engine").boolean();
  request.weights = string_or_null(reader.at("weights"));
  request.data_folder = string_or_null(reader.at("data_folder"));
  request.vocabulary = string_or_null(reader.at("vocabulary"));
  request.dump_first_step = string_or_null(reader.at("dump_first_step"));
  request.package = package_or_null(reader.at("package"));
  request.check_package = package_or_null(reader.at("check_package"));
  if (const base::Reader group = reader.at("group"); !group.is_null())
    request.group = read_group_place(group);
  request.report_losses = reader.at("report_losses").boolean();
  return request;
}

ProgressEvent read_progress(base::Reader& reader) {
  ProgressEvent event;
  event.samples = read_count(reader.at("samples"));
  event.step_seconds = reader.at("step_seconds").number();
  event.noise = number_or_null(reader.at("noise"));
  event.loss = number_or_null(reader.at("loss"));
  return event;
}

LossEvent read_loss(base::Reader& reader) {
  return {read_count(reader.at("epoch")), read_count(reader.at("epochs")), read_count(reader.at("batch")),
          read_count(reader.at("batches")), number_or_null(reader.at("loss"))};
}

ProbeEvent read_probe(base::Reader& reader) {
  ProbeEvent event;
  for (const base::Reader& item : reader.at("devices").items())
    event.devices.push_back(read_device_status(item));
  if (const auto tool = reader.find("tool"); tool && !tool->is_null()) event.tool = read_tool_info(*tool);
  event.libtorch_folder = reader.at("libtorch_folder").string();
  event.threads = Json<WorkingThreads>::read(reader.at("threads"));
  return event;
}

MetEvent read_met(base::Reader& reader) {
  MetEvent event{.prefix = reader.at("prefix").string(), .fronts = {}};
  for (base::Reader item : reader.at("fronts").items()) {
    event.fronts.push_back(
        {item.at("rank").integer(0), item.at("libtorch").string(), item.at("facts").string()});
    item.done();
  }
  return event;
}

void require_protocol(base::Reader& reader) {
  const base::Reader protocol = reader.at("protocol");
  const std::int64_t version = protocol.integer(0, std::numeric_limits<std::int64_t>::max());
  if (version != kProtocolVersion) {
    throw protocol.error("mpsbench and its worker are different versions (protocol " +
                         std::to_string(version) + ", expected " + std::to_string(kProtocolVersion) +
                         "); build both again");
  }
}

}  // namespace

std::string to_line(const Request& request) {
  return std::visit([](const auto& one) { return base::to_text(body(one)); }, request);
}

std::string to_line(const Event& event) {
  return std::visit([](const auto& one) { return base::to_text(body(one)); }, event);
}

Request parse_request(const std::string& line) {
  const json document = base::parse_json(line, "request");
  base::Reader reader(document, "request");
  const base::Reader kind = reader.at("request");
  require_protocol(reader);
  Request request;
  if (kind.string() == "launch") {
    request = read_launch_request(reader);
  } else if (kind.string() == "probe") {
    request = ProbeRequest{read_front_pid(reader), reader.at("threads").integer(1)};
  } else if (kind.string() == "rendezvous") {
    request = RendezvousRequest{read_front_pid(reader), read_group_place(reader.at("place")),
                                reader.at("keeps_store").boolean(), reader.at("facts").string()};
  } else {
    throw kind.error("unknown request \"" + kind.string() + "\"");
  }
  reader.done();
  return request;
}

Event parse_event(const std::string& line) {
  const json document = base::parse_json(line, "event");
  base::Reader reader(document, "event");
  const base::Reader kind = reader.at("event");
  const std::string name = kind.string();
  Event event;
  if (name == "hello") {
    require_protocol(reader);
    event = HelloEvent{kProtocolVersion, read_libtorch_info(reader.at("libtorch"))};
  } else if (name == "phase") {
    event = PhaseEvent{read_name<Phase>(reader.at("phase"))};
  } else if (name == "gpu") {
    event = GpuEvent{reader.at("pci_bus_id").string()};
  } else if (name == "progress") {
    event = read_progress(reader);
  } else if (name == "loss") {
    event = read_loss(reader);
  } else if (name == "part") {
    event = PartEvent{read_launch(reader.at("launch"))};
  } else if (name == "result") {
    event = ResultEvent{read_launch(reader.at("launch"))};
  } else if (name == "failure") {
    const auto status = read_name<Status>(reader.at("status"));
    event = FailureEvent{status, read_failure(reader.at("failure"))};
  } else if (name == "probe") {
    event = read_probe(reader);
  } else if (name == "met") {
    event = read_met(reader);
  } else if (name == "message") {
    event = MessageEvent{reader.at("rank").integer(0), reader.at("text").string()};
  } else if (name == "lost") {
    event = LostEvent{reader.at("rank").integer(0), reader.at("reason").string()};
  } else {
    throw kind.error("unknown event \"" + name + "\"");
  }
  reader.done();
  return event;
}

}  // namespace mpsbench::schema
