#include "output/page/page.hpp"

#include "base/hex.hpp"
#include "output/page/page_answers.hpp"
#include "output/page/page_reports.hpp"
#include "output/page/page_tables.hpp"
#include "output/page/page_view.hpp"
#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace mpsbench::output {
namespace {

// Returns the source of TEXT for a content security policy: 'sha256-...', in base 64.
std::string policy_hash(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = base::sha256_hex(text);  // 64 digits: ten groups of six, and four
  std::string hash;
  for (std::size_t at = 0; at < hex.size(); at += 3) {
    const std::string group = hex.substr(at, 3);  // 12 bits: two digits
    std::uint32_t bits = static_cast<std::uint32_t>(std::stoul(group, nullptr, 16));
    bits <<= 4 * (3 - group.size());
    hash += kDigits[bits >> 6U];
    if (group.size() > 1) hash += kDigits[bits & 63U];
  }
  return "'sha256-" + hash + "='";
}

// Makes all texts printable, because a page is also read as text.
void make_printable(nlohmann::ordered_json& value) {
  if (value.is_string()) {
    value = printable(value.get_ref<const std::string&>());
  } else if (value.is_structured()) {
    for (auto& one : value) make_printable(one);
  }
}

// Returns the JSON text for a script element, whose end it cannot contain.
std::string script_json(nlohmann::ordered_json value) {
  make_printable(value);
  std::string text;
  const std::string json = value.dump();
  for (std::size_t at = 0; at < json.size(); ++at) {
    const bool is_separator = json.compare(at, 2, "\xE2\x80") == 0 && at + 2 < json.size() &&
                              (json[at + 2] == '\xA8' || json[at + 2] == '\xA9');
    if (is_separator) {
      text += json[at + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      at += 2;
    } else {
      text += json[at] == '<' ? std::string("\\u003c") : std::string(1, json[at]);
    }
  }
  return text;
}

std::string head_of(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
         policy_hash(kPageStyle) + "; script-src " + policy_hash(kPageScript) +
         "; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>mpsbench: " +
         title + "</title>\n<style>" + std::string(kPageStyle) + "</style>\n</head>\n";
}

std::string section(const std::string& id, const std::string& title, const std::string& html) {
  return html.empty() ? "" : "<section id=\"" + id + "\"><h2>" + title + "</h2>\n" + html + "</section>\n";
}

std::string lines(const std::string& kind, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& one : words) text += "<p class=\"" + kind + "\">" + xml_text(one) + "</p>\n";
  return text;
}

}  // namespace

std::string to_html(const std::vector<schema::Report>& reports, const std::vector<std::string>& files) {
  const PageReports page = page_reports(reports, files);
  const std::vector<PageReference> references = page_references(page);
  const std::string title = xml_text(page_title(page));
  // The script fills the empty parts, and shows them if it has something for them.
  return head_of(title) + "<body>\n<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n<header>\n<h1>" + title +
         "</h1>\n<p id=\"answer\" aria-live=\"polite\">" + xml_text(page_answer(page, references)) +
         "</p>\n<p class=\"note\">" + xml_text(page_subtitle(page)) +
         "</p>\n</header>\n<main id=\"main\">\n<section id=\"glance\" aria-label=\"At a glance\">\n"
         "<form id=\"choices\" hidden></form>\n<div id=\"picture\">" +
         first_table(page, references) + "</div>\n" + lines("remark", page_remarks(page)) +
         "</section>\n<section id=\"batches\" hidden></section>\n<section id=\"scaling\" "
         "hidden></section>\n" +
         section("cases", "Cases", case_tables(page)) + section("details", "Each case", case_details(page)) +
         section("machines", "Machines", host_lists(page) + lines("note", page.comparability.caveats)) +
         "</main>\n<script type=\"application/json\" id=\"view\">" + script_json(page_view(page, references)) +
         "</script>\n<script>" + std::string(kPageScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace mpsbench::output
