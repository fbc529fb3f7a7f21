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
    const std::vector<std::int32_t> input = tokens(object, "input");
    add(input, tokens(object, "target"), sequences);
  }

  // Returns whether the input is a string.
  bool read_question(std::string_view text, TaskSequences& sequences) {
    const json object = parse(text);
    const std::vector<std::int32_t> input = tokens(object, "input");
    add(input, due(object, input), sequences);
    return object["input"].is_string();
  }

 private:
  void add(const std::vector<std::int32_t>& input, const std::vector<std::int32_t>& target,
           TaskSequences& sequences) const {
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

  // Targets of unknown answers: number 0, or kNoToken if nothing is due.
  std::vector<std::int32_t> due(const json& object, const std::vector<std::int32_t>& input) {
    const auto target = object.find("target");
    if (target == object.end()) {
      const auto nothing = std::find_if(input.rbegin(), input.rend(),
                                        [](std::int32_t token) { return token != kNoToken; });
      const auto after = static_cast<std::size_t>(nothing - input.rbegin());
      return std::vector<std::int32_t>(std::min(after + 1, input.size()), 0);
    }
    if (target->is_number_unsigned()) {
      const auto steps = target->get<std::size_t>();
      if (steps <= input.size()) return std::vector<std::int32_t>(steps, 0);
      fail("\"target\" is " + target->dump() + ", expected at most " +
           std::to_string(input.size()) + ", the length of \"input\"");
    }
    SymbolCounter ignored;
    std::vector<std::int32_t> numbers =
        LineReader(file_, line_, unit_, ignored).tokens(object, "target");
    for (std::int32_t& number : numbers) number = std::min(number, 0);
    return numbers;
  }

  [[noreturn]] void fail(const std::string& reason) const { throw_at(file_, line_, reason); }

  json parse(std::string_view text) const try {
    json object = json::parse(text);
    if (!object.is_object()) fail(std::string("is ") + object.type_name() + ", " + kExpected);
    return object;
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

// Calls take(line, its number) for each line that is not blank, and returns the last line's number.
template <typename Take>
std::size_t for_each_line(std::string_view text, Take take) {
  std::size_t line = 1;
  for (; !text.empty(); ++line) {
    const std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(content.size() + 1, text.size()));
    if (content.find_first_not_of(" \t\r") != std::string_view::npos) take(content, line);
  }
  return line - 1;
}

}  // namespace

TaskSequences read_json_lines(std::string_view text, const std::string& file, Unit unit,
                              SymbolCounter& counter, std::size_t least) {
  TaskSequences sequences;
  const std::size_t last = for_each_line(text, [&](std::string_view content, std::size_t line) {
    LineReader(file, line, unit, counter).read(content, sequences);
  });
  if (sequences.size() < least) {
    throw_at(file, last,
             std::string("the file has ") +
                 (sequences.size() == 0 ? "no sequence" : "only one sequence") +
                 (least == 1 ? "" : "; a task needs two, one to train on and one to hold out"));
  }
  return sequences;
}

TaskSequences read_json_questions(std::string_view text, const std::string& file, Unit unit,
                                  SymbolCounter& counter, std::vector<bool>& strings) {
  TaskSequences sequences;
  for_each_line(text, [&](std::string_view content, std::size_t line) {
    strings.push_back(LineReader(file, line, unit, counter).read_question(content, sequences));
  });
  return sequences;
}

}  // namespace gradus::files
