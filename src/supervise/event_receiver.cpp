#include "supervise/event_receiver.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "schema/launch_part.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace mpsbench::supervise {
namespace {

// Returns the beginning of LINE as printable text.
std::string preview(const std::string& line) {
  constexpr std::size_t kLength = 60;
  std::string text = line.substr(0, kLength);
  std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return '"' + text + (line.size() > kLength ? "..." : "") + '"';
}

}  // namespace

EventReceiver::EventReceiver(LaunchListener& listener, std::optional<std::string> libtorch_version)
    : listener_(listener), libtorch_version_(std::move(libtorch_version)), started_at_(base::steady_seconds()) {}

bool EventReceiver::on_line(const std::string& line) {
  try {
    take(schema::parse_event(line));
  } catch (const base::Error& error) {
    received_.protocol_error = "the worker sent " + preview(line) + ": " + error.what();
  }
  return received_.protocol_error.empty();
}

void EventReceiver::on_line_too_long() {
  received_.protocol_error = "the worker sent an event longer than 64 MiB";
}

bool EventReceiver::reports_success() const {
  const bool is_good = received_.result && received_.result->status == schema::Status::ok;
  return received_.protocol_error.empty() && (is_good || received_.probe);
}

bool EventReceiver::reports_lost_rank() const {
  return (received_.result && schema::is_lost_rank(received_.result->failure)) ||
         (received_.failure && schema::is_lost_rank(received_.failure->failure));
}

void EventReceiver::take(schema::Event event) {
  const bool is_hello = std::holds_alternative<schema::HelloEvent>(event);
  if (is_hello == received_.libtorch.has_value()) {
    received_.protocol_error =
        is_hello ? "the worker sent two hello events" : "the worker sent an event before its hello event";
    return;
  }
  if (received_.verdict()) {
    received_.protocol_error = "the worker sent more events after its last event";
    return;
  }
  if (auto* hello = std::get_if<schema::HelloEvent>(&event)) {
    received_.load_seconds = base::steady_seconds() - started_at_;
    received_.libtorch = std::move(hello->libtorch);
    if (libtorch_version_ && *libtorch_version_ != received_.libtorch->version) {
      received_.protocol_error =
          "the worker has LibTorch " + received_.libtorch->version + ", but this run uses " + *libtorch_version_;
      return;
    }
    listener_.on_hello(*received_.libtorch);
  } else if (const auto* phase = std::get_if<schema::PhaseEvent>(&event)) {
    received_.phase = phase->phase;
    listener_.on_phase(phase->phase);
  } else if (const auto* gpu = std::get_if<schema::GpuEvent>(&event)) {
    listener_.on_gpu(gpu->pci_bus_id);
  } else if (const auto* progress = std::get_if<schema::ProgressEvent>(&event)) {
    listener_.on_progress(*progress);
  } else if (const auto* loss = std::get_if<schema::LossEvent>(&event)) {
    listener_.on_loss(*loss);
  } else if (auto* part = std::get_if<schema::PartEvent>(&event)) {
    listener_.on_part(part->launch);
    schema::add_part(received_.so_far, std::move(part->launch));
  } else if (auto* result = std::get_if<schema::ResultEvent>(&event)) {
    listener_.on_result();
    received_.result = std::move(result->launch);
  } else if (auto* failure = std::get_if<schema::FailureEvent>(&event)) {
    received_.failure = std::move(*failure);
  } else if (auto* probe = std::get_if<schema::ProbeEvent>(&event)) {
    received_.probe = std::move(*probe);
  } else {
    received_.protocol_error = "the worker sent an event that does not answer its request";
  }
}

}  // namespace mpsbench::supervise
