#include "schema/front_message.hpp"

#include "base/json_file.hpp"
#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::schema {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json body(const Admission& message) {
  return {{"message", "admission"}, {"refusal", message.refusal}, {"exit_code", message.exit_code}};
}

ordered_json body(const LaunchOrder& message) {
  return {{"message", "launch"},
          {"number", message.number},
          {"timeout_seconds", message.timeout_seconds},
          {"request", message.request}};
}

ordered_json body(const StopOrder& message) {
  return {{"message", "stop"}, {"number", message.number}};
}

ordered_json body(const EndOrder& message) {
  return {{"message", "end"}, {"exit_code", message.exit_code}};
}

ordered_json body(const LaunchAnswer& message) {
  return {{"message", "answer"},
          {"number", message.number},
          {"device", to_string(message.device)},
          {"launch", to_json(message.launch)}};
}

ordered_json body(const Farewell&) {
  return {{"message", "farewell"}};
}

FrontMessage read_body(base::Reader& reader) {
  const base::Reader kind = reader.at("message");
  const std::string name = kind.string();
  if (name == "admission") return Admission{reader.at("refusal").string(), reader.at("exit_code").integer(0)};
  if (name == "launch")
    return LaunchOrder{reader.at("number").integer(0), reader.at("timeout_seconds").number(),
                       reader.at("request").string()};
  if (name == "stop") return StopOrder{reader.at("number").integer(0)};
  if (name == "end") return EndOrder{reader.at("exit_code").integer(0)};
  if (name == "answer")
    return LaunchAnswer{reader.at("number").integer(0), read_device_id(reader.at("device")),
                        read_launch(reader.at("launch"))};
  if (name == "farewell") return Farewell{};
  throw kind.error("unknown message \"" + name + "\"");
}

}  // namespace

std::string to_line(const FrontMessage& message) {
  return std::visit([](const auto& one) { return base::to_text(body(one)); }, message);
}

FrontMessage parse_front_message(const std::string& line) {
  const json document = base::parse_json(line, "message");
  base::Reader reader(document, "message");
  FrontMessage message = read_body(reader);
  reader.done();
  return message;
}

}  // namespace mpsbench::schema
