// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/curricula/files/manifest.h"
#include "tests/curricula/files_fixture.h"

namespace gradus::files {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& toml) {
  return input_error([&] { parse_manifest(toml, "lists/tasks.toml"); });
}

TEST(Manifest, ListsTasksInTheirOrderWithPathsRelativeToTheList) {
  const Manifest manifest = parse_manifest(R"(target = "verse"
[[task]]
name = "prose"
path = "texts/a.md"
kind = "text"
[[task]]
path = "verse.txt"
[[task]]
path = "/data/pairs.jsonl"
)",
                                           "lists/tasks.toml");
  ASSERT_EQ(manifest.tasks.size(), 3u);
  EXPECT_EQ(manifest.target, "verse");
  EXPECT_EQ(manifest.tasks[0].name, "prose");
  EXPECT_EQ(manifest.tasks[0].path, "lists/texts/a.md");
  EXPECT_EQ(manifest.tasks[0].kind, FileKind::kText);
  EXPECT_EQ(manifest.tasks[1].name, "verse");
  EXPECT_EQ(manifest.tasks[1].kind, FileKind::kText);
  EXPECT_EQ(manifest.tasks[2].name, "pairs");
  EXPECT_EQ(manifest.tasks[2].path, "/data/pairs.jsonl");
  EXPECT_EQ(manifest.tasks[2].kind, FileKind::kJsonLines);
}

TEST(Manifest, NamesFileLineAndReasonOfABadList) {
  EXPECT_THAT(refusal("[[task]]\npath = \"a.txt\"\nname = = 2\n"),
              HasSubstr("lists/tasks.toml:3: not TOML: "));
  EXPECT_EQ(refusal("[[task]]\npath = \"a.txt\"\nnmae = \"b\"\n"),
            "lists/tasks.toml:3: unknown key \"nmae\"; did you mean \"name\"?");
  EXPECT_EQ(refusal("tasks = 1\n"),
            "lists/tasks.toml:1: unknown key \"tasks\"; did you mean \"task\"?");
  EXPECT_EQ(refusal("# nothing\n"), "lists/tasks.toml:1: the list has no [[task]]");
  EXPECT_EQ(refusal("\ntask = 3\n"),
            "lists/tasks.toml:2: \"task\" must be an array of tables, [[task]]");
  EXPECT_EQ(refusal("\n[[task]]\nname = \"a\"\n"), "lists/tasks.toml:2: the task has no \"path\"");
  EXPECT_EQ(refusal("[[task]]\npath = 7\n"),
            "lists/tasks.toml:2: \"path\" must be a non-empty string");
  EXPECT_EQ(refusal("[[task]]\npath = \"a.txt\"\nkind = \"json\"\n"),
            "lists/tasks.toml:3: kind is \"json\", expected \"text\" or \"jsonl\"");
  EXPECT_EQ(refusal("[[task]]\npath = \"a.csv\"\n"),
            "lists/tasks.toml:2: \"a.csv\" ends in neither .txt nor .jsonl: set kind = \"text\" "
            "or \"jsonl\"");
  EXPECT_EQ(refusal("[[task]]\npath = \"a/\"\nkind = \"text\"\n"),
            "lists/tasks.toml:2: \"a/\" names a folder, expected a file");
  EXPECT_EQ(refusal("[[task]]\npath = \"x/a.txt\"\n[[task]]\npath = \"y/a.txt\"\n"),
            "lists/tasks.toml:3: another task is already named \"a\"");
  EXPECT_EQ(refusal("target = \"prse\"\n[[task]]\npath = \"prose.txt\"\n"),
            "lists/tasks.toml:1: unknown task \"prse\"; did you mean \"prose\"?");
  EXPECT_EQ(refusal(""), "lists/tasks.toml:1: the file is empty");
  EXPECT_EQ(refusal("# caf\xe9\n"), "lists/tasks.toml:1: not UTF-8: byte 0xe9");
}

TEST(Manifest, OfAFolderIsItsTextAndJsonLinesFilesByName) {
  const TemporaryFolder folder;
  folder.write("b.txt", "");
  folder.write("a.jsonl", "");
  folder.write("a-z.txt", "");
  folder.write("notes.md", "");
  folder.write(".hidden.txt", "");
  const Manifest manifest = read_manifest(folder.path());
  ASSERT_EQ(manifest.tasks.size(), 3u);
  EXPECT_EQ(manifest.tasks[0].name, "a");
  EXPECT_EQ(manifest.tasks[0].kind, FileKind::kJsonLines);
  EXPECT_EQ(manifest.tasks[1].name, "a-z");
  EXPECT_EQ(manifest.tasks[2].path, folder.path() + "/b.txt");
}

TEST(Manifest, RefusesAFolderWithTwoTasksOfOneNameOrWithNone) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_error([&] { read_manifest(folder.path()); }),
            folder.path() + ": no *.txt or *.jsonl file in this folder");
  folder.write("a.txt", "");
  folder.write("a.jsonl", "");
  folder.write("a.k.txt", "");
  EXPECT_EQ(input_error([&] { read_manifest(folder.path()); }),
            folder.file("a.txt") + ": another task is already named \"a\"");
}

TEST(Manifest, RefusesAPathThatIsNeitherFolderNorList) {
  const TemporaryFolder folder;
  EXPECT_THAT(input_error([] { read_manifest(""); }), HasSubstr("files.path is not set"));
  EXPECT_THAT(input_error([&] { read_manifest(folder.file("none")); }),
              HasSubstr("/none: cannot be read: No such file"));
  EXPECT_THAT(input_error([&] { read_manifest(folder.write("a.txt", "x")); }),
              HasSubstr("/a.txt, expected a folder of .txt and .jsonl files or a .toml list"));
  folder.write("caf\xe9.txt", "x");
  EXPECT_THAT(input_error([&] { read_manifest(folder.path()); }), HasSubstr("is not UTF-8"));
}

}  // namespace
}  // namespace gradus::files
