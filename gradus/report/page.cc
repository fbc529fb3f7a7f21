// SPDX-License-Identifier: Apache-2.0
#include "gradus/report/page.h"

#include <stdexcept>

#include "gradus/report/json.h"

namespace gradus::report {
namespace {

constexpr std::string_view kMarker = "@DOCUMENT@";

// A "<" in a name could close the script element that holds the document. \u003c cannot.
std::string safe_in_html(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? "\\u003c" : std::string(1, c);
  return text;
}

}  // namespace

std::string make_page(std::string_view page_template, const nlohmann::ordered_json& document) {
  const std::size_t at = page_template.find(kMarker);
  if (at == std::string_view::npos) throw std::logic_error("the page template has no marker");
  std::string page(page_template.substr(0, at));
  page += safe_in_html(text_of(document));
  page += page_template.substr(at + kMarker.size());
  return page;
}

}  // namespace gradus::report
