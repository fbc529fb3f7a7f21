#include "gradus/report/page.h"

#include <stdexcept>

namespace gradus::report {
namespace {

constexpr std::string_view kMarker = "@DOCUMENT@";

// A "<" in a name could end the script that holds the document; as \u003c it cannot.
std::string safe_in_html(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? "\\u003c" : std::string(1, c);
  return text;
}

}  // namespace

std::string make_page(std::string_view page_template, const nlohmann::ordered_json& document) {
  const std::size_t at = page_template.find(kMarker);
  if (at == std::string_view::npos) throw std::logic_error("the page's template has no marker");
  // Names of files may hold bytes that are no UTF-8; they show as the replacement character.
  const std::string json =
      document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string page(page_template.substr(0, at));
  page += safe_in_html(json);
  page += page_template.substr(at + kMarker.size());
  return page;
}

}  // namespace gradus::report
