#include <fmt/format.h>

#include "cli/documents.h"

namespace gradus::cli {
namespace {

std::string words(const CLI::App& command) {
  std::string text;
  for (const CLI::App* sub : visible_commands(command)) text += " " + sub->get_name();
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) text += " -" + name;
    for (const std::string& name : option->get_lnames()) text += " --" + name;
  }
  return text.empty() ? "" : text.substr(1);
}

// One case for each command: the words that may follow it.
std::string cases(const CLI::App& command, const std::string& path) {
  std::string text = fmt::format("    '{}') words='{}' ;;\n", path, words(command));
  for (const CLI::App* sub : visible_commands(command)) {
    text += cases(*sub, path + " " + sub->get_name());
  }
  return text;
}

// The commands with two or more words, as alternatives of a pattern.
std::string paths(const CLI::App& command, const std::string& path) {
  std::string text;
  for (const CLI::App* sub : visible_commands(command)) {
    const std::string name = path + " " + sub->get_name();
    const std::string deeper = paths(*sub, name);
    text +=
        fmt::format("{}'{}'{}{}", text.empty() ? "" : "|", name, deeper.empty() ? "" : "|", deeper);
  }
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  return fmt::format(
      "# bash completion of gradus, printed by `gradus print bash-completion`\n"
      "_gradus() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} path=gradus words i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$path ${{COMP_WORDS[i]}}\" in\n"
      "    {}) path+=\" ${{COMP_WORDS[i]}}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$path\" in\n{}  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "}}\n"
      "complete -o default -F _gradus gradus\n",
      paths(app, "gradus"), cases(app, "gradus"));
}

}  // namespace gradus::cli
