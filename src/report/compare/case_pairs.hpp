// Which cases of two reports are compared, in which order, and how the two cases of a pair differ.
#pragma once

#include "report/compare/compared_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mpsbench::report {

// ID without the options that are a machine's own business (schema::SpecRole::own).
[[nodiscard]] std::string without_own_options(const std::string& id);

// The cases of one family differ only in their batch size.
struct FamilyMember {
  std::string family;
  std::int64_t batch_size = 0;
};

// Puts ROWS into the order to show them: families as they first appear, each with its smallest batch first.
// MEMBER_OF returns the FamilyMember of a row.
template <typename Row, typename MemberOf>
void sort_by_batch(std::vector<Row>& rows, MemberOf member_of) {
  std::map<std::string, std::size_t> first;
  std::vector<std::tuple<std::size_t, std::int64_t, std::size_t>> order;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const FamilyMember member = member_of(rows[at]);
    order.emplace_back(first.try_emplace(member.family, at).first->second, member.batch_size, at);
  }
  std::ranges::sort(order);
  std::vector<Row> sorted;
  for (const auto& place : order) sorted.push_back(std::move(rows[std::get<2>(place)]));
  rows = std::move(sorted);
}

struct CasePair {
  const ComparedCase* before = nullptr;  // null: only in the other report
  const ComparedCase* after = nullptr;
};

// BEFORE's cases, then those only in AFTER. Pairs equal ids, and of the other cases those that are the only
// ones whose ids differ in a machine's own options alone (see without_own_options()).
[[nodiscard]] std::vector<CasePair> case_pairs(const ComparedReport& before, const ComparedReport& after);

using Lines = std::vector<std::string>;

// The names of the two sides in remarks: "before" and "after", or their files.
struct SideNames {
  std::string first;
  std::string second;

  // Returns a remark such as "LibTorch 2.13.0 before, 2.14.0 after".
  [[nodiscard]] std::string remark(const std::string& what, const std::string& one, const std::string& other) const;
  // Adds a line if ONE and OTHER differ.
  void tell(Lines& lines, const std::string& what, const std::optional<std::string>& one,
            const std::optional<std::string>& other) const;
};

// Collects the cases that share a remark. The remark appears once, with the first case and the number of others.
class Grouped {
 public:
  void add(const std::string& remark, const std::string& id);
  void append_to(Lines& lines) const;

 private:
  struct Group {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Group> groups_;
};

// Remarks about pairs of cases.
struct CaseRemarks {
  Grouped obstacles;
  Grouped caveats;
};

// Adds how the work of two cases differs (SpecRole says what belongs to it), and their precisions.
void compare_work(const ComparedCase& before, const ComparedCase& after, const SideNames& sides, CaseRemarks& remarks);

// Adds the same of a case that one machine measured twice, and under which other conditions it did.
void compare_conditions(const ComparedCase& before, const ComparedCase& after, const SideNames& sides,
                        CaseRemarks& remarks);

}  // namespace mpsbench::report
