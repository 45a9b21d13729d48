// Makes the rows of the table of options.
#pragma once

#include "suite/option.hpp"
#include "suite/option_forms.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::suite {

// What the options of a Setting have in common.
template <typename Value>
Option option_with(std::string name, const char* short_name, std::string value_name, std::string help,
                   OptionGroup group, const Form<Value>& form, OptionTraits traits) {
  Option option;
  option.name = std::move(name);
  option.short_name = short_name;
  option.value_name = std::move(value_name);
  option.help = std::move(help);
  option.group = group;
  option.kind = form.kind;
  option.choices = form.choices;
  option.traits = traits;
  option.schema = [form] { return value_schema(form); };
  return option;
}

template <typename Value>
Option row(Setting<Value> Settings::* member, const char* short_name, std::string value_name, std::string help,
           OptionGroup group, Form<Value> form, OptionTraits traits = {}) {
  static const Settings kUnset;
  Option option =
      option_with((kUnset.*member).name(), short_name, std::move(value_name), std::move(help), group, form, traits);
  option.in = [member](const Settings& all) -> const AnySetting& { return all.*member; };
  option.set = [member, form = std::move(form)](Settings& all, const std::string& text, const std::string& origin) {
    (all.*member).set(form.read(text, origin), origin);
  };
  option.clear = [member](Settings& all) { (all.*member).clear(); };
  option.overlay = [member](Settings& all, const Settings& above) {
    if ((above.*member).has()) all.*member = above.*member;
  };
  return option;
}

// When an option that sets a member of the case has an effect, and the value that the member then has
// without it. Otherwise the member stays as the case's defaults say.
template <typename Value>
struct Effect {
  bool (*applies)(const schema::CaseSpec&) = nullptr;  // null: always
  std::optional<Value> usual = {};
};

// The row of an option that sets MEMBER of the case as it is.
template <typename T>
Option of_case(T schema::CaseSpec::* member, std::string value_name, std::string help, OptionGroup group,
               Form<ValueOf<T>> form, OptionTraits traits = {}, const Effect<ValueOf<T>>& effect = {}) {
  using Value = Setting<ValueOf<T>>;
  const char* name = field_of(member).traits.option;
  Option option = option_with(name, "", std::move(value_name), std::move(help), group, form, traits);
  option.is_conditional = effect.applies != nullptr;
  option.in = [name, unset = std::make_shared<Value>(name)](const Settings& all) -> const AnySetting& {
    const auto found = all.of_case.find(name);
    return found == all.of_case.end() ? *unset : *found->second;
  };
  option.set = [name, form = std::move(form)](Settings& all, const std::string& text, const std::string& origin) {
    auto setting = std::make_shared<Value>(name);
    setting->set(form.read(text, origin), origin);
    all.of_case.insert_or_assign(name, std::move(setting));
  };
  option.clear = [name](Settings& all) { all.of_case.erase(name); };
  option.overlay = [name](Settings& all, const Settings& above) {
    if (const auto found = above.of_case.find(name); found != above.of_case.end())
      all.of_case.insert_or_assign(name, found->second);
  };
  option.apply = [member, effect](const Settings& all, schema::CaseSpec& spec) {
    if (effect.applies != nullptr && !effect.applies(spec)) return;
    const Value given = all.of(member);
    if (given.has()) {
      spec.*member = given.value();
    } else if (effect.usual) {
      spec.*member = *effect.usual;  // NOLINT(bugprone-optional-value-conversion): T need not be optional
    }
  };
  return option;
}

}  // namespace mpsbench::suite
