// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/guard.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <arpa/inet.h>
#include <openssl/crypto.h>

#include "gradus/runs/claim.h"

namespace gradus::serve {
namespace {

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes = {};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

bool is_every_address(const std::string& host) {
  return host == "0.0.0.0" || host == "::";
}

// The time does not depend on where the texts differ.
bool same_secret(std::string_view given, std::string_view secret) {
  return given.size() == secret.size() &&
         CRYPTO_memcmp(given.data(), secret.data(), secret.size()) == 0;
}

}  // namespace

bool is_loopback(const std::string& host) {
  in_addr address = {};
  if (::inet_pton(AF_INET, host.c_str(), &address) == 1) {
    return (ntohl(address.s_addr) >> 24) == 127;
  }
  return host == "localhost" || host == "::1";
}

Guard::Guard(std::string host, int port, std::string token)
    : host_(std::move(host)), port_(std::to_string(port)), token_(std::move(token)) {}

// `host` is the Host header: NAME:PORT, with an IPv6 address in brackets.
bool Guard::knows_host(std::string host) const {
  if (!host.ends_with(":" + port_)) return false;
  host.resize(host.size() - port_.size() - 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::ranges::transform(host, host.begin(), [](unsigned char c) { return std::tolower(c); });
  if (is_loopback(host) || host == host_) return true;
  return is_every_address(host_) && (is_address(host) || host == host_name());
}

int Guard::refusal(const HttpRequest& request) const {
  if (!knows_host(value_of(request.headers, "host"))) return 403;
  const bool changes = request.method == "POST";
  if (is_loopback(host_) && !changes) return 0;
  std::string given = value_of(request.headers, "x-gradus-token");
  if (given.empty() && !changes) given = value_of(request.query, "token");
  return same_secret(given, token_) ? 0 : 401;
}

}  // namespace gradus::serve
