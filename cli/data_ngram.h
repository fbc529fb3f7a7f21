#pragma once

#include <CLI/CLI.hpp>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// Adds `data ngram`: prints text from a model, or the bits per character of a file under it.
void add_data_ngram(CLI::App& data, const CurriculumEntry& entry);

}  // namespace gradus::cli
