// SPDX-License-Identifier: Apache-2.0
// Requests to the server of the live page: a line with method and path, then lines "?key=value" of
// the query and "name: value" of the headers, an empty line, and the body. The server may refuse a
// request, but nothing in one makes it fail.

#include <csignal>
#include <sstream>

#include "gradus/runs/record_file.h"
#include "gradus/runs/recorder.h"
#include "gradus/runs/run_reader.h"
#include "gradus/serve/app.h"
#include "tests/fuzz/fuzz.h"
#include "tests/temporary_folder.h"

namespace gradus::fuzz {
namespace {

serve::HttpRequest request_of(const std::string& text) {
  serve::HttpRequest request;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const std::size_t space = line.find(' ');
  request.method = line.substr(0, space);
  if (space != std::string::npos) request.path = line.substr(space + 1);
  while (std::getline(lines, line) && !line.empty()) {
    const bool is_query = line.front() == '?';
    const std::size_t end = line.find(is_query ? "=" : ": ");
    if (end == std::string::npos) continue;
    (is_query ? request.query : request.headers)[line.substr(is_query ? 1 : 0, end - is_query)] =
        line.substr(end + (is_query ? 1 : 2));
  }
  request.body.assign(std::istreambuf_iterator<char>(lines), {});
  return request;
}

// A server on a folder with a run and a record. It starts /bin/true instead of our program.
class Server {
 public:
  Server() {
    Recorder run(folder_.path("run"),
                 {{{"curriculum", "c"}, {"gain", "pg"}, {"seed", "1"}, {"steps", "10"}},
                  {"a", "b"},
                  "b",
                  ""});
    run.add({.steps = 5}, {{"a", "b"}, {0.5, 0.5}, {1, 2}, {0.1, 0.2}});
    run.close("finished");
    write_record(read_run(folder_.path("run")), folder_.path("record.jsonl.gz"));
    app_.emplace(serve::Folders({folder_.path().string()}), "page", "/bin/true",
                 std::map<std::string, std::string>{{"demo", "steps = 1"}});
  }

  serve::HttpResponse answer(const serve::HttpRequest& request) {
    serve::HttpResponse response = app_->answer(request, guard_);
    app_->collect_children();
    remove_started();
    return response;
  }

 private:
  void remove_started() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (name != "run" && name != "record.jsonl.gz") std::filesystem::remove_all(entry.path());
    }
  }

  testing::TemporaryFolder folder_;
  serve::Guard guard_{"127.0.0.1", 80, "secret"};
  std::optional<serve::App> app_;
};

}  // namespace

GRADUS_FUZZ_TARGET(requests)(const std::string& bytes) {
  static Server server;
  const serve::HttpResponse response = server.answer(request_of(bytes));
  if (response.stream) response.stream();
  require(response.status < 500, "the server does not fail: " + response.body);
}

}  // namespace gradus::fuzz
