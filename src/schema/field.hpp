// Tables of the members of JSON objects. A row says what a member means; its key is its name. field_json.hpp
// uses the tables to read and write JSON and to make the JSON Schema.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace mpsbench::schema {

// The allowed range of a number, or of each number in a list. Whole numbers are counts, so they are at least
// 0 even if MIN is lower.
struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

inline constexpr double kAboveZero = std::numeric_limits<double>::min();
inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The longest time that a report may contain.
inline constexpr double kMostSeconds = 1e9;
inline constexpr Bounds kTime{0, kMostSeconds};
inline constexpr Bounds kShare{0, 1};
inline constexpr Bounds kRate{kAboveZero, kInfinite};
inline constexpr Bounds kFromOne{1, kInfinite};

// What a text must look like.
struct TextForm {
  const char* pattern;   // for the JSON Schema
  const char* expected;  // what the message says
  bool (*is_good)(std::string_view text);
};

struct FieldInfo {
  const char* meaning = "";
  const char* unit = "";  // SI: "s", "B", "1" for a share; empty: the value has no unit
  Bounds bounds = {};
  bool is_absent_when_empty = false;        // an empty list, or null, is not written and may be missing
  std::span<const char* const> words = {};  // the allowed values of a string; empty: any string
  const TextForm* form = nullptr;           // of a string, or of each text in a list; null: any
  bool is_detail = false;                   // how a value came about, which comparing reports does not look at
  const char* key = nullptr;                // null: the member's name
};

constexpr FieldInfo from_one(const char* meaning) {
  return {.meaning = meaning, .bounds = kFromOne};
}
constexpr FieldInfo seconds(const char* meaning) {
  return {.meaning = meaning, .unit = "s", .bounds = kTime};
}
constexpr FieldInfo absent_when_empty(FieldInfo about) {
  about.is_absent_when_empty = true;
  return about;
}
constexpr FieldInfo detail(FieldInfo about) {
  about.is_detail = true;
  return about;
}

// What a row of an owner says besides FieldInfo.
template <typename Owner>
struct FieldTraits {};

template <typename Owner, typename T>
struct MemberOfType {
  T Owner::* pointer = nullptr;
  constexpr bool operator==(const MemberOfType&) const = default;
};

// A pointer to a member of one of these types, which all differ. The compiler takes far longer for a std::variant.
template <typename Owner, typename First, typename... Rest>
struct AnyMember : MemberOfType<Owner, First>, MemberOfType<Owner, Rest>... {
  template <typename T>
  constexpr AnyMember(T Owner::* member) {  // NOLINT(google-explicit-constructor)
    MemberOfType<Owner, T>::pointer = member;
  }
  constexpr bool operator==(const AnyMember&) const = default;

  // Returns what CALL returns for the pointer.
  template <typename Call>
  constexpr auto visit(Call&& call) const {
    if constexpr (std::is_void_v<decltype(call(MemberOfType<Owner, First>::pointer))>) {
      const auto visit_one = [&](auto member) { return member == nullptr || (call(member), false); };
      (void)(visit_one(MemberOfType<Owner, First>::pointer) && ... && visit_one(MemberOfType<Owner, Rest>::pointer));
    } else {
      decltype(call(MemberOfType<Owner, First>::pointer)) result{};
      visit([&](auto member) { result = call(member); });
      return result;
    }
  }
};

template <typename Owner, typename... Types>
struct Field {
  using Member = AnyMember<Owner, Types...>;

  const char* key;
  Member member;
  FieldInfo about;
  [[no_unique_address]] FieldTraits<Owner> traits;
};

// The members of an object, in the order of its keys.
template <typename Row, std::size_t Size>
struct Table {
  using OneRow = Row;

  const char* definition;  // where its schema stands in the report's $defs; empty: in each place that has one
  std::array<Row, Size> rows;

  [[nodiscard]] constexpr const Row* begin() const { return rows.data(); }
  [[nodiscard]] constexpr const Row* end() const { return rows.data() + Size; }
};

// Each object that is written or read has its table here.
template <typename Owner>
inline constexpr std::nullptr_t kFields = nullptr;

template <typename T>
concept HasFields = !std::is_same_v<decltype(kFields<T>), const std::nullptr_t>;

template <typename Owner, typename T>
Owner owner_of(T Owner::*);

// The compiler prints a member with its name at the end: "[with auto Member = &schema::Launch::status]".
template <auto Member>
constexpr auto member_name() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.rfind("::") + 2;
  std::array<char, 64> name{};
  std::ranges::copy(text.substr(begin, text.find_first_of(")];", begin) - begin), name.begin());
  return name;
}
template <auto Member>
inline constexpr auto kMemberName = member_name<Member>();
static_assert(std::string_view(kMemberName<&FieldInfo::meaning>.data()) == "meaning");

template <typename Owner, typename T>
struct Row {
  T Owner::* member;
  const char* key;
  FieldInfo about;
  FieldTraits<Owner> traits;
};
template <typename Owner, typename T>
Row(T Owner::*, const char*, FieldInfo, FieldTraits<Owner>) -> Row<Owner, T>;

// Returns the row of MEMBER in a table.
template <auto Member, typename Owner = decltype(owner_of(Member))>
constexpr auto field(const FieldInfo& about = {}, const FieldTraits<Owner>& traits = {}) {
  return Row{Member, about.key == nullptr ? kMemberName<Member>.data() : about.key, about, traits};
}

// The different types among those that were added.
template <typename... Kept>
struct Types {
  template <typename T>
  constexpr auto operator+(std::type_identity<T>) const {
    if constexpr ((std::is_same_v<T, Kept> || ...)) {
      return *this;
    } else {
      return Types<Kept..., T>{};
    }
  }
  template <typename Owner>
  using FieldOf = Field<Owner, Kept...>;
};

template <typename Owner, typename... All>
constexpr auto table(const char* definition, const Row<Owner, All>&... rows) {
  using OneField = typename decltype((Types<>{} + ... + std::type_identity<All>{}))::template FieldOf<Owner>;
  return Table<OneField, sizeof...(All)>{definition, {OneField{rows.key, rows.member, rows.about, rows.traits}...}};
}
template <typename Owner, typename... All>
constexpr auto table(const Row<Owner, All>&... rows) {
  return table("", rows...);
}
// A table of members about which there is nothing to say.
template <auto... Members>
constexpr auto members() {
  return table(field<Members>()...);
}

}  // namespace mpsbench::schema
