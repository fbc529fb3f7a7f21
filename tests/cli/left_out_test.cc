// SPDX-License-Identifier: Apache-2.0
// The commands of a program that is built without npm: no_report.cc and no_serve.cc, which this
// test links, replace them.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "gradus/core/error.h"

namespace gradus::cli {
namespace {

// The program of such a build, as far as these commands go.
void run(std::vector<std::string> reversed_words) {
  CLI::App app;
  add_report(app);
  add_reproduce(app);
  add_arena(app);
  add_serve(app);
  app.parse(std::move(reversed_words));
}

std::string error_of(std::vector<std::string> reversed_words) {
  try {
    run(std::move(reversed_words));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LeftOut, ACommandSaysThatItIsMissingAndWhatItNeeds) {
  for (const std::string name : {"report", "reproduce", "arena"}) {
    EXPECT_EQ(error_of({name}), "this program was built without \"gradus " + name +
                                    "\", which needs npm; install that and build it again");
  }
  EXPECT_EQ(error_of({"serve"}),
            "this program was built without \"gradus serve\", which needs npm and cpp-httplib; "
            "install that and build it again");
  EXPECT_FALSE(has_report());
}

TEST(LeftOut, WhateverFollowsTheCommandDoesNotHideThat) {
  const std::string expected = error_of({"report"});
  EXPECT_EQ(error_of({"first.html", "-o", "runs/first", "report"}), expected);
  EXPECT_EQ(error_of({"--help", "report"}), expected);
}

TEST(LeftOut, HelpDoesNotListTheCommands) {
  CLI::App app;
  add_report(app);
  add_serve(app);
  EXPECT_EQ(app.help().find("report"), std::string::npos);
  EXPECT_EQ(app.help().find("serve"), std::string::npos);
}

}  // namespace
}  // namespace gradus::cli
