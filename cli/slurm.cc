// SPDX-License-Identifier: Apache-2.0
#include "cli/slurm.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>
#include <sys/wait.h>

#include "cli/next_step.h"
#include "gradus/core/error.h"
#include "gradus/files/file.h"

namespace gradus::cli {
namespace {

struct Output {
  int status = 0;
  std::string text;  // standard output and error
};

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

Output run(const std::vector<std::string>& words) {
  FILE* pipe = popen((joined(words) + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + words.front());
  Output output;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output.text += static_cast<char>(c);
  const int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  while (output.text.ends_with('\n')) output.text.pop_back();
  return output;
}

int number_in(const std::string& text, const std::string& pattern, int otherwise) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? std::atoi(found[1].str().c_str())
                                                             : otherwise;
}

struct Limits {
  int array = 1;  // elements of an array
  int jobs = 0;   // jobs that the controller can hold; each element of an array is one
};

Limits read_limits() {
  const Output config = run({"scontrol", "show", "config"});
  if (config.status == 127) {
    throw InputError(
        "there is no scontrol on this machine; submit from a host of the cluster, or "
        "write the job script with --print");
  }
  if (config.status != 0) throw InputError("Slurm does not answer: " + config.text);
  return {std::max(1, number_in(config.text, "MaxArraySize\\s*=\\s*(\\d+)", 1)),
          number_in(config.text, "MaxJobCount\\s*=\\s*(\\d+)", 10'000) - 1};
}

// The number of jobs that the controller knows.
int count_jobs() {
  const std::string jobs = run({"squeue", "--noheader", "--array", "--states=all"}).text;
  return static_cast<int>(std::ranges::count(jobs, '\n')) + (jobs.empty() ? 0 : 1);
}

// sbatch's messages about limits on a user's jobs, such as "AssocMaxSubmitJobLimit" or "Job
// violates accounting/QOS policy (job submit limit, user's size and/or time limits)", and about a
// controller that can hold no more jobs.
bool is_about_limits(const std::string& message) {
  return std::regex_search(message, std::regex("[Ll]imit|temporarily un"));
}

}  // namespace

std::string job_script(const SlurmJob& job) {
  std::string script = fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --array=0-{}\n"
      "#SBATCH --output={}/%A_%a.log\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --requeue\n"
      "#SBATCH --signal=B:TERM@120\n",
      job.name, job.elements - 1, job.folder.string());
  if (!job.options.empty()) script += "#SBATCH " + job.options + "\n";
  script +=
      "\n"
      "# Slurm signals this shell two minutes before the time limit. The worker then saves its "
      "runs\n"
      "# and exits with 130, or dies of the signal if it has just started. A job that was "
      "cancelled or\n"
      "# preempted is no longer running and is not requeued here.\n"
      "trap 'signalled=1; kill -TERM $worker 2>/dev/null' TERM\n" +
      joined(job.command) +
      " &\n"
      "worker=$!\n"
      "[ -z \"$signalled\" ] || kill -TERM $worker\n"
      "while kill -0 $worker 2>/dev/null; do wait $worker; done  # a signal ends a wait early\n"
      "wait $worker\n"
      "status=$?\n"
      "element=$SLURM_JOB_ID\n"
      "[ -z \"$SLURM_ARRAY_JOB_ID\" ] || element=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\n"
      "if [[ $status = 130 || $status = 143 ]] && [ \"$(squeue -h -j $element -o %T)\" = RUNNING "
      "]; "
      "then\n"
      "  scontrol requeue $element && sleep infinity\n"
      "fi\n"
      "exit $status\n";
  return script;
}

std::vector<std::string> submit(const SlurmJob& job) {
  Limits limits = read_limits();
  std::filesystem::create_directories(job.folder);
  const std::filesystem::path script = job.folder / "job.sh";
  write_durably(script, job_script(job));
  std::vector<std::string> lines;
  int left = job.elements;
  while (left > 0) {
    const int room = limits.jobs - count_jobs();
    if (room < 1 && !lines.empty()) break;  // sbatch would try for two minutes
    const int elements = std::min({left, limits.array, std::max(1, room)});
    const Output sbatch =
        run({"sbatch", "--parsable", fmt::format("--array=0-{}", elements - 1), script.string()});
    if (sbatch.status == 0) {
      const std::string id = sbatch.text.substr(0, sbatch.text.find(';'));
      lines.push_back(
          fmt::format("job {}: {} elements; squeue -j {} shows them", id, elements, id));
      left -= elements;
    } else if (is_about_limits(sbatch.text) && elements > 1) {
      limits.array = elements / 2;
    } else if (is_about_limits(sbatch.text) && !lines.empty()) {
      break;
    } else {
      throw InputError("sbatch refused the job: " + sbatch.text);
    }
  }
  if (left > 0) {
    lines.push_back(
        fmt::format("{} element{} not submitted because of the site's limit on jobs; the others "
                    "train their runs",
                    left, left == 1 ? " was" : "s were"));
  }
  return lines;
}

}  // namespace gradus::cli
