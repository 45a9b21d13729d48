// Makes a row of the table of options.
#pragma once

#include "suite/option.hpp"
#include "suite/option_forms.hpp"

#include <string>
#include <utility>

namespace mpsbench::suite {

inline constexpr OptionTraits kOfNetworks{.is_of_networks = true};

template <typename Value>
Option row(Setting<Value> Settings::* member, const char* short_name, const std::string& value_name,
           const std::string& help, OptionGroup group, Form<Value> form, OptionTraits traits = {}) {
  static const Settings kUnset;
  Option option;
  option.name = (kUnset.*member).name();
  option.short_name = short_name;
  option.value_name = value_name;
  option.help = help;
  option.group = group;
  option.kind = form.kind;
  option.choices = form.choices;
  option.traits = traits;
  option.in = [member](const Settings& all) -> const AnySetting& { return all.*member; };
  option.set = [member, form = std::move(form)](Settings& all, const std::string& text,
                                                const std::string& origin) {
    (all.*member).set(form.read(text, origin), origin);
  };
  option.clear = [member](Settings& all) { (all.*member).clear(); };
  option.overlay = [member](Settings& all, const Settings& above) {
    if ((above.*member).has()) all.*member = above.*member;
  };
  return option;
}

}  // namespace mpsbench::suite
