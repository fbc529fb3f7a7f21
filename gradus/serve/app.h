// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "gradus/serve/comparisons.h"
#include "gradus/serve/control.h"
#include "gradus/serve/folders.h"
#include "gradus/serve/guard.h"
#include "gradus/serve/http.h"
#include "gradus/serve/listing.h"
#include "gradus/serve/watcher.h"

namespace gradus::serve {

/// Answers the requests of the page: what `gradus serve` does, without its sockets. docs/serve.md
/// lists the requests.
class App {
 public:
  /// `page` is the HTML of the page, `program` the path of this program, and `configs` the configs
  /// that the page offers, by name.
  App(const Folders& folders, std::string_view page, const std::filesystem::path& program,
      const std::map<std::string, std::string>& configs);

  /// Thread-safe. `guard` decides whether the request is answered.
  HttpResponse answer(const HttpRequest& request, const Guard& guard);
  /// Collects processes that have ended. Must be called now and then.
  void collect_children() { control_.collect(); }
  /// Ends the streams of events, so that a server can stop.
  void stop();

 private:
  HttpResponse get(const HttpRequest& request);
  HttpResponse configs(const std::string& number);
  HttpResponse post(const HttpRequest& request);
  HttpResponse events();

  Folders folders_;
  std::string_view page_;
  Listing listing_;
  Watcher watcher_;
  Comparisons comparisons_;
  Control control_;
  std::map<std::string, std::string> configs_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace gradus::serve
