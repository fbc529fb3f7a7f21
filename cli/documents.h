// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gradus::cli {

// Both are generated from the commands, options and help texts of `app`, so they cannot differ from
// --help. `gradus print` prints them; the build installs them.

/// The man page gradus(1), in the macros of man(7).
std::string man_page(const CLI::App& app);

/// A script for bash that completes the names of commands and options, the keys of settings, and
/// the values of settings that have a list of choices. Everything else is completed as a file name.
std::string bash_completion(const CLI::App& app);

/// The subcommands that --help shows.
std::vector<const CLI::App*> visible_commands(const CLI::App& command);

}  // namespace gradus::cli
