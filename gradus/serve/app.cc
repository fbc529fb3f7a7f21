// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/app.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "gradus/core/error.h"
#include "gradus/core/text.h"
#include "gradus/report/json.h"
#include "gradus/runs/run_folder.h"
#include "gradus/serve/details.h"

namespace gradus::serve {
namespace {

using Json = nlohmann::ordered_json;
using report::text_of;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostRuns = 10'000;
constexpr std::size_t kMostConfig = 200'000;  // bytes
constexpr std::chrono::seconds kHeartbeat(10);

HttpResponse failure(int status, const std::string& message) {
  return {status, "application/json", text_of({{"error", message}})};
}

// Page for a browser without the token, for example after the server was started again.
constexpr std::string_view kAskForToken = R"(<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gradus</title>
<style>:root{color-scheme:light dark;font:16px system-ui}body{max-width:30rem;margin:3rem auto}
input,button{font:inherit}</style>
<h1>Gradus</h1><form><p>This server needs the token that <code>gradus serve</code> printed.</p>
<input name="token" aria-label="token" autocomplete="off" autofocus> <button>Open</button></form>
)";

HttpResponse refuse(int status, const HttpRequest& request) {
  if (status == 401 && request.method == "GET" && request.path == "/") {
    return {401, "text/html; charset=utf-8", std::string(kAskForToken)};
  }
  return failure(status, status == 401 ? "the token is missing or wrong; gradus serve prints it"
                                       : "the Host header does not name this server");
}

std::int64_t number_of(std::string_view text) {
  const auto number = parse_number<std::int64_t>(text);
  if (number && *number >= 0) return *number;
  throw InputError("\"" + std::string(text) + "\" is not the number of a run");
}

// The same from JSON. get() would also convert other numbers, with undefined results for large
// ones.
std::int64_t run_number(const Json& json) {
  if (!json.is_number_integer()) throw InputError(json.dump() + " is not the number of a run");
  return json.get<std::int64_t>();
}

// "0-3,7": the numbers 0, 1, 2, 3 and 7.
std::vector<std::int64_t> numbers_of(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const std::int64_t first = number_of(part.substr(0, dash));
    const std::int64_t last = dash == part.npos ? first : number_of(part.substr(dash + 1));
    if (last - first >= kMostRuns - std::ssize(numbers)) {
      throw InputError("more than " + std::to_string(kMostRuns) + " runs are selected");
    }
    for (std::int64_t i = first; i <= last; ++i) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace

App::App(const Folders& folders, std::string_view page, const std::filesystem::path& program,
         const std::map<std::string, std::string>& configs)
    : folders_(folders),
      page_(page),
      listing_(folders_),
      watcher_(listing_),
      control_(folders_, program),
      configs_(configs) {
  watcher_.look();
}

HttpResponse App::answer(const HttpRequest& request, const Guard& guard) {
  if (const int status = guard.refusal(request)) return refuse(status, request);
  try {
    return request.method == "POST" ? post(request) : get(request);
  } catch (const Json::exception&) {
    return failure(400, "malformed request body");
  } catch (const InputError& error) {
    return failure(400, error.what());
  } catch (const std::exception& error) {
    return failure(500, error.what());
  }
}

HttpResponse App::get(const HttpRequest& request) {
  if (request.path == "/") return {200, "text/html; charset=utf-8", std::string(page_)};
  if (request.path == "/api/events") return events();
  if (request.path == "/api/run") {
    const std::filesystem::path run = listing_.path_of(number_of(value_of(request.query, "n")));
    return {200, "application/json", text_of(details_of(run, folders_))};
  }
  if (request.path == "/api/report") {
    std::vector<std::filesystem::path> runs;
    for (const std::int64_t number : numbers_of(value_of(request.query, "runs"))) {
      runs.push_back(listing_.path_of(number));
    }
    return {200, "application/json", comparisons_.document(runs)};
  }
  if (request.path == "/api/configs") return configs(value_of(request.query, "n"));
  return failure(404, "there is nothing at this address");
}

// The configs to begin with: that of the run with this number, if given, and the ready-made ones.
HttpResponse App::configs(const std::string& number) {
  Json json = Json::object();
  if (!number.empty()) {
    const std::filesystem::path run = listing_.path_of(number_of(number));
    const std::string text = end_of_file(config_file(run), kMostConfig);
    if (!text.empty()) json[run.filename().string()] = text;
  }
  for (const auto& [name, text] : configs_) json[name] = text;
  return {200, "application/json", text_of(json)};
}

HttpResponse App::post(const HttpRequest& request) {
  const bool known =
      request.path == "/api/stop" || request.path == "/api/resume" || request.path == "/api/start";
  if (!known) return failure(404, "there is nothing at this address");
  const Json body = Json::parse(request.body);
  if (request.path == "/api/stop") {
    std::vector<std::filesystem::path> runs;
    for (const Json& number : body.at("runs")) {
      runs.push_back(listing_.path_of(run_number(number)));
    }
    control_.stop(runs);
  } else if (request.path == "/api/resume") {
    const bool sweep = body.contains("sweep");
    const std::filesystem::path run =
        listing_.path_of(run_number(body.at(sweep ? "sweep" : "run")));
    control_.resume(sweep ? run.parent_path() : run);
  } else {
    control_.start(body.at("config"), body.at("settings"), body.at("name"));
  }
  return {200, "application/json", "{}"};
}

// Server-sent events: first the whole listing, then what has changed.
HttpResponse App::events() {
  struct State {
    explicit State(Watcher& watcher) : watch(watcher) {}
    Watcher::Watch watch;
    std::int64_t seen = 0;
    Clock::time_point sent = Clock::now();
  };
  auto state = std::make_shared<State>(watcher_);
  return {200, "text/event-stream", "", [this, state]() -> std::optional<std::string> {
            if (state->seen != 0) {
              listing_.wait_for_change(state->seen, std::chrono::milliseconds(1000));
            }
            if (stopping_) return std::nullopt;
            const Json changes = listing_.changes(state->seen);
            const bool news = state->seen == 0 || changes["version"] != state->seen;
            state->seen = changes["version"];
            if (!news && Clock::now() - state->sent < kHeartbeat) return "";
            state->sent = Clock::now();
            return news ? "data: " + text_of(changes) + "\n\n" : ":\n\n";
          }};
}

void App::stop() {
  stopping_ = true;
  listing_.wake();
}

}  // namespace gradus::serve
