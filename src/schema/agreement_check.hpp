// A comparison of what a network computes with a reference, because a fast but wrong answer is not a result.
#pragma once

#include "schema/closed_set.hpp"
#include "schema/field_json.hpp"

#include <array>
#include <optional>

namespace mpsbench::schema {

// What the case's network is compared with.
enum class Reference { cpu, eager };

struct ReferenceRow {
  Reference value;
  std::string_view name;
};

template <>
struct ClosedSet<Reference> {
  static constexpr const char* kWhat = "reference";
  static constexpr std::array kRows{ReferenceRow{Reference::cpu, "cpu"},       // eager on the CPU, in fp32
                                    ReferenceRow{Reference::eager, "eager"}};  // eager on the same device
};
static_assert(is_whole<Reference>());

// Weights are the trainable ones after one update.
enum class Compared { output, loss, gradients, weights };

struct ComparedRow {
  Compared value;
  std::string_view name;
};

template <>
struct ClosedSet<Compared> {
  static constexpr const char* kWhat = "compared quantity";
  static constexpr std::array kRows{ComparedRow{Compared::output, "output"}, ComparedRow{Compared::loss, "loss"},
                                    ComparedRow{Compared::gradients, "gradients"},
                                    ComparedRow{Compared::weights, "weights"}};
};
static_assert(is_whole<Compared>());

struct AgreementCheck {
  Reference reference = Reference::cpu;
  Compared quantity = Compared::output;
  std::optional<double> difference;  // relative, docs/measuring.md says to what; null: not finite
  double limit = 0;                  // above this the launch fails with wrong_output
};

inline constexpr Field<AgreementCheck, Reference, Compared, std::optional<double>, double> kAgreementFields[] = {
    {"reference",
     &AgreementCheck::reference,
     {"What the network was compared with: eager on the CPU in fp32, or eager on the same device."}},
    {"quantity", &AgreementCheck::quantity, {"What was compared."}},
    {"difference",
     &AgreementCheck::difference,
     {"The relative difference; null: a value was not finite.", "1", {.min = 0}}},
    {"limit", &AgreementCheck::limit, {"The launch fails if the difference is larger.", "1", {.min = 0}}},
};

template <>
struct Json<AgreementCheck> : ObjectJson<AgreementCheck, kAgreementFields> {};

[[nodiscard]] inline bool agrees(const AgreementCheck& check) {
  return check.difference && *check.difference <= check.limit;
}

}  // namespace mpsbench::schema
