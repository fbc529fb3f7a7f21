// SPDX-License-Identifier: Apache-2.0
#include "gradus/curricula/files/json_lines.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gradus/curricula/files/text_file.h"

namespace gradus::files {
namespace {

using nlohmann::json;

constexpr const char* kExpected = R"(expected {"input": ..., "target": ...})";

// Reads one line. Holds the file and the line number for error messages.
class LineReader {
 public:
  LineReader(const std::string& file, std::size_t line, Unit unit, SymbolCounter& counter)
      : file_(file), line_(line), unit_(unit), counter_(counter) {}

  void read(std::string_view text, TaskSequences& sequences) {
    const json object = parse(text);
    if (!object.is_object()) fail(std::string("is ") + object.type_name() + ", " + kExpected);
    const std::vector<std::int32_t> input = tokens(object, "input");
    const std::vector<std::int32_t> target = tokens(object, "target");
    if (input.empty()) fail("\"input\" is empty");
    if (target.size() > input.size()) {
      fail("\"target\" has " + std::to_string(target.size()) + " tokens, expected at most " +
           std::to_string(input.size()) + ", the length of \"input\"");
    }
    if (std::all_of(target.begin(), target.end(), [](auto t) { return t == kNoToken; })) {
      fail("\"target\" has no token to score");
    }
    const std::size_t unscored = input.size() - target.size();
    for (std::size_t t = 0; t < input.size(); ++t) {
      sequences.add_step(input[t], t < unscored ? kNoToken : target[t - unscored]);
    }
    sequences.end_sequence();
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw_at(file_, line_, reason); }

  json parse(std::string_view text) const try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    fail("not JSON at column " + std::to_string(error.byte) + ", " + kExpected);
  } catch (const json::exception&) {
    fail("not JSON: a number is too large");
  }

  std::vector<std::int32_t> tokens(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) fail(std::string("has no \"") + key + "\", " + kExpected);
    std::vector<std::int32_t> numbers;
    if (found->is_string()) {
      for_each_symbol(found->get_ref<const std::string&>(), unit_,
                      [&](std::string_view symbol) { numbers.push_back(counter_.met(symbol)); });
    } else if (found->is_array()) {
      for (const json& entry : *found) numbers.push_back(token(entry, key, numbers.size()));
    } else {
      fail(std::string("\"") + key + "\" is " + found->type_name() +
           ", expected a string or an array");
    }
    return numbers;
  }

  std::int32_t token(const json& entry, const char* key, std::size_t place) {
    if (entry.is_null()) return kNoToken;
    if (entry.is_number_integer()) return counter_.met(entry.dump());
    if (entry.is_string() && !entry.get_ref<const std::string&>().empty()) {
      return counter_.met(entry.get_ref<const std::string&>());
    }
    fail(std::string("\"") + key + "\"[" + std::to_string(place) + "] is " +
         (entry.is_string()   ? "an empty string"
          : entry.is_number() ? "not an integer"
                              : entry.type_name()) +
         ", expected a string, an integer or null");
  }

  const std::string& file_;
  std::size_t line_;
  Unit unit_;
  SymbolCounter& counter_;
};

}  // namespace

TaskSequences read_json_lines(std::string_view text, const std::string& file, Unit unit,
                              SymbolCounter& counter) {
  TaskSequences sequences;
  std::size_t line = 1;
  for (; !text.empty(); ++line) {
    const std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(content.size() + 1, text.size()));
    if (content.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    LineReader(file, line, unit, counter).read(content, sequences);
  }
  if (sequences.size() < 2) {
    throw_at(file, line - 1,
             std::string("the file has ") +
                 (sequences.size() == 0 ? "no sequence" : "only one sequence") +
                 "; a task needs two, one to train on and one to hold out");
  }
  return sequences;
}

}  // namespace gradus::files
