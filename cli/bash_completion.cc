// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/documents.h"
#include "gradus/runs/runner.h"
#include "gradus/runs/settings.h"

namespace gradus::cli {
namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string words(const CLI::App& command) {
  std::string text;
  // `gradus help` takes the names of the commands beside it.
  const CLI::App& parent = command.get_name() == "help" ? *command.get_parent() : command;
  for (const CLI::App* sub : visible_commands(parent)) text += " " + sub->get_name();
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : names_of(*option)) text += " " + name;
  }
  return text.empty() ? "" : text.substr(1);
}

// Whether the help of an argument of the command mentions `text`.
bool takes(const CLI::App& command, const std::string& text) {
  const auto options = command.get_options();
  return std::ranges::any_of(options, [&](const CLI::Option* option) {
    return option->get_positional() && option->get_description().find(text) != std::string::npos;
  });
}

// Prefix of the settings that the command takes: "babi." for `gradus data babi`, else "".
std::string table_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  if (!parent || parent->get_name() != "data") return "";
  for (const CurriculumEntry& entry : curriculum_list()) {
    if (entry.name == command.get_name()) return entry.table + ".";
  }
  return "";
}

// The keys that start with `table`, without it.
std::string keys(const std::string& table) {
  RunSettings settings;
  std::string text;
  for (const Setting& setting : settings_of(settings)) {
    if (setting.key.starts_with(table)) text += " " + setting.key.substr(table.size());
  }
  return text.substr(1);
}

// One case for each command: the words that may follow it, the keys of its settings, and whether it
// takes a config.
std::string cases(const CLI::App& command, const std::string& path) {
  std::string text = fmt::format("    '{}') words='{}'", path, words(command));
  if (takes(command, "key=value")) {
    const std::string table = table_of(command);
    text += fmt::format(" table='{}' keys={}", table,
                        table.empty() ? "$settings" : "'" + keys(table) + "'");
  }
  if (takes(command, "TOML")) text += " config=1";
  text += " ;;\n";
  for (const CLI::App* sub : visible_commands(command)) {
    text += cases(*sub, path + " " + sub->get_name());
  }
  return text;
}

void add_alternative(const std::string& name, std::string& pattern) {
  pattern += fmt::format("{}'{}'", pattern.empty() ? "" : "|", name);
}

// The commands with two or more words, as alternatives of a pattern.
void add_paths(const CLI::App& command, const std::string& path, std::string& pattern) {
  for (const CLI::App* sub : visible_commands(command)) {
    const std::string name = path + " " + sub->get_name();
    add_alternative(name, pattern);
    add_paths(*sub, name, pattern);
  }
}

// The options that take a value, with their commands, as alternatives of a pattern.
void add_valued(const CLI::App& command, const std::string& path, std::string& pattern) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_expected_max() == 0) continue;
    for (const std::string& name : names_of(*option)) add_alternative(path + " " + name, pattern);
  }
  for (const CLI::App* sub : visible_commands(command)) {
    add_valued(*sub, path + " " + sub->get_name(), pattern);
  }
}

// One case for each setting whose values can be listed.
std::string value_cases() {
  RunSettings settings;
  std::string text;
  for (const Setting& setting : settings_of(settings)) {
    std::string values = fmt::format("{}", fmt::join(setting.choices, " "));
    if (std::holds_alternative<bool*>(setting.value)) values = "true false";
    if (std::holds_alternative<std::optional<double>*>(setting.value)) values = "auto";
    if (!values.empty()) text += fmt::format("    '{}') echo '{}' ;;\n", setting.key, values);
  }
  return text;
}

// In bash `=` separates words: gain=p is three of them. If COMP_WORDBREAKS has no `=`, it is one.
constexpr const char* kScript =
    R"SCRIPT(# bash completion of gradus, printed by `gradus print bash-completion`
_gradus_values() {{
  case "$1" in
{values}  esac
}}
# Completes the value $2 of the setting $1.
_gradus_value() {{
  local key=$1
  [[ $key == "$table"* ]] || key=$table$key
  mapfile -t COMPREPLY < <(compgen -P "$3" -W "$(_gradus_values "$key")" -- "$2")
}}
_gradus_configs() {{
  local file
  compgen -d -S / -- "$1"
  compgen -f -X '!*.toml' -- "$1" | while read -r file; do printf '%q\n' "$file"; done
}}
_gradus() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD - 1]}} path=gradus i
  local settings='{settings}'
  local words='' table='' keys='' config=''
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${{COMP_WORDS[i]}}" in
    {paths}) path+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path $last" in
  {valued}) return ;;
  esac
  case "$path" in
{cases}  esac
  if [[ -n $keys && $last == = ]]; then
    _gradus_value "${{COMP_WORDS[COMP_CWORD - 2]}}" "$word" ''
  elif [[ -n $keys && $word == = ]]; then
    _gradus_value "$last" '' ''
  elif [[ -n $keys && $word == *=* ]]; then
    _gradus_value "${{word%%=*}}" "${{word#*=}}" "${{word%%=*}}="
  else
    mapfile -t COMPREPLY < <(
      compgen -W "$words" -- "$word"
      compgen -S = -W "$keys" -- "$word"
      [[ -z $config ]] || _gradus_configs "$word"
    )
    [[ ${{COMPREPLY[*]}} != *[=/] ]] || compopt -o nospace
  fi
}}
complete -o default -F _gradus gradus
)SCRIPT";

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string paths;
  std::string valued;
  add_paths(app, "gradus", paths);
  add_valued(app, "gradus", valued);
  return fmt::format(kScript, fmt::arg("values", value_cases()), fmt::arg("settings", keys("")),
                     fmt::arg("paths", paths), fmt::arg("valued", valued),
                     fmt::arg("cases", cases(app, "gradus")));
}

}  // namespace gradus::cli
