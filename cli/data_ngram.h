#pragma once

#include <CLI/CLI.hpp>

#include "gradus/runs/runner.h"

namespace gradus::cli {

/// Adds `data ngram`: text from a model, or a file's bits per character under it.
void add_data_ngram(CLI::App& data, const CurriculumEntry& entry);

}  // namespace gradus::cli
