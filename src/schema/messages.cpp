#include "schema/messages.hpp"

#include "base/json_file.hpp"

namespace mpsbench::schema {
namespace {

template <typename T>
T parse(const std::string& line, const char* name) {
  const nlohmann::json document = base::parse_json(line, name);
  return Json<T>::read(base::Reader(document, name), {});
}

}  // namespace

Protocol Json<Protocol>::read(const base::Reader& reader, const FieldInfo&) {
  const std::int64_t version = reader.integer(0);
  if (version == kProtocolVersion) return {};
  throw reader.error("mpsbench and its worker are different versions (protocol " + std::to_string(version) +
                     ", expected " + std::to_string(kProtocolVersion) + "); build both again");
}

std::string to_line(const Request& request) {
  return base::to_text(Json<Request>::write(request));
}

std::string to_line(const FrontMessage& message) {
  return base::to_text(Json<FrontMessage>::write(message));
}

std::string to_line(const Event& event) {
  return base::to_text(Json<Event>::write(event));
}

std::string to_line(const FrontFacts& facts) {
  return base::to_text(Json<FrontFacts>::write(facts));
}

Request parse_request(const std::string& line) {
  return parse<Request>(line, "request");
}

FrontMessage parse_front_message(const std::string& line) {
  return parse<FrontMessage>(line, "message");
}

Event parse_event(const std::string& line) {
  return parse<Event>(line, "event");
}

FrontFacts parse_front_facts(const std::string& line) {
  return parse<FrontFacts>(line, "facts");
}

}  // namespace mpsbench::schema
