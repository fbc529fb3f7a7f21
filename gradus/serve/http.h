// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace gradus::serve {

struct HttpRequest {
  std::string method;
  std::string path;                            ///< decoded, without the query
  std::map<std::string, std::string> query;    ///< decoded
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

/// The value of a query or header, or "" if there is none of that name.
std::string value_of(const std::map<std::string, std::string>& values, const std::string& key);

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  /// If set, replaces the body. It is called again and again, from the thread of the connection,
  /// and each text that it returns is sent at once; an empty text sends nothing, and nullopt ends
  /// the response. It must return at least every few seconds, and end if the server is stopping.
  std::function<std::optional<std::string>()> stream = nullptr;
};

/// Answers HTTP requests, one per connection, each on a thread of its own. Refuses a client that
/// takes too long, sends too much or opens too many connections.
class HttpServer {
 public:
  /// Called from many threads.
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  /// Binds the address; port 0 means any free port. Throws InputError if that fails.
  HttpServer(const std::string& host, int port, Handler handler);
  ~HttpServer();

  int port() const { return port_; }
  /// Answers requests until `stop` returns true, which is called several times per second.
  void run(const std::function<bool()>& stop);

 private:
  class Connections;
  class Engine;
  std::unique_ptr<Engine> engine_;
  int port_ = 0;
};

}  // namespace gradus::serve
