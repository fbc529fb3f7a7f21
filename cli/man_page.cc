// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/documents.h"
#include "gradus/core/version.h"

namespace gradus::cli {
namespace {

// Escapes text for roff. A line that starts with a period or an apostrophe would be a macro.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

// "--seed N=1", with the name in bold.
std::string heading(const CLI::App& command, const CLI::Option& option) {
  const std::string name = option.get_name(!option.nonpositional(), true);
  const auto* formatter = dynamic_cast<const CLI::Formatter*>(command.get_formatter().get());
  const std::string value = formatter ? formatter->make_option_opts(&option) : "";
  return fmt::format(".TP\n\\fB{}\\fR{}\n", escaped(name), escaped(value));
}

std::string options(const CLI::App& command, bool positional) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional() == positional || option->get_group().empty()) continue;
    text += heading(command, *option) + escaped(option->get_description()) + "\n";
  }
  return text;
}

// Keeps the line breaks of a text that is laid out for the terminal.
std::string verbatim(const std::string& text) {
  return text.empty() ? "" : ".PP\n.nf\n" + escaped(text) + "\n.fi\n";
}

std::string section(const CLI::App& command, const std::string& path, const std::string& footer) {
  std::string text = fmt::format(".SS {}\n{}\n", escaped(path), escaped(command.get_description()));
  text += options(command, true) + options(command, false);
  // A command without a footer of its own inherits that of the program.
  if (command.get_footer() != footer) text += verbatim(command.get_footer());
  return text;
}

std::string sections(const CLI::App& parent, const std::string& path, const std::string& footer) {
  std::string text;
  for (const CLI::App* command : visible_commands(parent)) {
    const std::string name = path + " " + command->get_name();
    text += section(*command, name, footer) + sections(*command, name, footer);
  }
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  return fmt::format(
      ".TH GRADUS 1 \"\" \"gradus {}\" \"User Commands\"\n"
      ".SH NAME\ngradus \\- automated curriculum learning\n"
      ".SH SYNOPSIS\n\\fBgradus\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n{}.SH COMMANDS\n{}.SH EXIT STATUS\n{}\n",
      version(), escaped(app.get_description()), options(app, false),
      sections(app, "gradus", app.get_footer()), escaped(app.get_footer()));
}

}  // namespace gradus::cli
