// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"
#include "cli/use_network.h"
#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus::cli {
namespace {

// One line per answer.
std::string answer_lines(const Questions& questions, const std::vector<int>& tokens,
                         const std::vector<std::string>& vocabulary) {
  std::string lines;
  auto token = tokens.begin();
  auto end = questions.ends.begin();
  bool first = true;
  for (int t = 0; t < questions.sequence.length(); ++t) {
    if (questions.sequence.scored[t] == 0) continue;
    lines += (first ? "" : questions.separator) + vocabulary[*token++];
    first = t == *end;
    if (!first) continue;
    lines += "\n";
    ++end;
  }
  return lines;
}

void answer(const NetworkArguments& arguments) {
  TrainedRun run = load_trained(arguments);
  const auto reader = run.make_reader();
  std::int64_t unknown = 0;
  const std::vector<Questions> questions =
      reader->read_questions(read_file("/dev/stdin"), "standard input", unknown);
  tell_unknown(unknown);
  const std::vector<std::vector<int>> answers = run.answer(questions);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    write_now(answer_lines(questions[i], answers[i], run.saved().vocabulary));
  }
}

}  // namespace

void add_answer(CLI::App& app) {
  auto arguments = std::make_shared<NetworkArguments>();
  CLI::App* command =
      app.add_subcommand("answer", "Answer questions from standard input with a trained network");
  add_network_arguments(*command, *arguments);
  command->footer("Reads what the run's curriculum reads and prints one answer per line:\n" +
                  format_help(&CurriculumEntry::answers));
  command->callback([arguments] { answer(*arguments); });
}

}  // namespace gradus::cli
