// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gradus/serve/http.h"

namespace gradus::serve {

/// Whether only this machine can reach the address: "localhost", 127.x.x.x or ::1.
bool is_loopback(const std::string& host);

/// Decides which requests are answered.
class Guard {
 public:
  /// `host` and `port` are those that the server listens on. If others than this machine can reach
  /// it, every request needs the token; otherwise only those that change something.
  Guard(std::string host, int port, std::string token);

  /// The status of the refusal, or 0 if the request may be answered: 403 if the Host header is not
  /// ours, as in an attack by DNS rebinding; 401 if the token is missing or wrong. Only a header
  /// may carry the token of a POST, because no other site can make a browser send it.
  int refusal(const HttpRequest& request) const;

 private:
  bool knows_host(std::string host) const;

  std::string host_;
  std::string port_;
  std::string token_;
};

}  // namespace gradus::serve
