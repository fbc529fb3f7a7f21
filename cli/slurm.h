// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gradus::cli {

/// A job array of Slurm. Every element runs `command`, a worker of a sweep that takes runs until
/// none is left.
struct SlurmJob {
  std::string name;
  std::filesystem::path folder;  ///< for the script and the logs
  std::vector<std::string> command;
  std::string options;  ///< the user's, for sbatch; they override ours
  int elements = 1;
};

/// The job script. An element that reaches its time limit is told two minutes before; the worker
/// then saves its runs, and the script requeues the element.
std::string job_script(const SlurmJob& job);

/// Writes the script to the job's folder and submits it: as several arrays if the site limits their
/// size, and with fewer elements if the site limits the number of jobs, since each takes any number
/// of runs. Returns one line for the user per array. Throws InputError with sbatch's message if
/// nothing could be submitted.
std::vector<std::string> submit(const SlurmJob& job);

}  // namespace gradus::cli
