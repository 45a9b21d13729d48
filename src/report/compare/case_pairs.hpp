// Pairs the cases of two reports, and puts cases in order.
#pragma once

#include "report/compare/compared_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::report {

// The order in which comparisons show cases.

// ID without its part NUMBER (counted from 0) and the slash after that part.
[[nodiscard]] std::string without_part(const std::string& id, std::size_t number);

// ID without its option NAME, which is a part such as "+NAME=value".
[[nodiscard]] std::string without_option(const std::string& id, const std::string& name);

// ID without the options that are a machine's own business (schema::SpecRole::own).
[[nodiscard]] std::string without_own_options(const std::string& id);

// The cases of one family differ only in their batch size.
struct FamilyMember {
  std::string family;
  std::int64_t batch_size = 0;
};

// The positions of MEMBERS in the order to show them: families as they first appear, each with its smallest
// batch first.
[[nodiscard]] std::vector<std::size_t> order_by_batch(const std::vector<FamilyMember>& members);

// Puts ROWS into this order. MEMBER_OF returns the FamilyMember of a row.
template <typename Row, typename MemberOf>
void sort_by_batch(std::vector<Row>& rows, MemberOf member_of) {
  std::vector<FamilyMember> members;
  for (const Row& row : rows) members.push_back(member_of(row));
  std::vector<Row> sorted;
  for (const std::size_t at : order_by_batch(members)) sorted.push_back(std::move(rows[at]));
  rows = std::move(sorted);
}

// Which cases of two reports of one machine are compared.
struct CasePair {
  const ComparedCase* before = nullptr;  // null: only in the other report
  const ComparedCase* after = nullptr;
};

// BEFORE's cases, then those only in AFTER. Pairs equal ids, and of the other cases those that are the only
// ones whose ids differ in a machine's own options alone (see without_own_options()).
[[nodiscard]] std::vector<CasePair> case_pairs(const ComparedReport& before, const ComparedReport& after);

}  // namespace mpsbench::report
