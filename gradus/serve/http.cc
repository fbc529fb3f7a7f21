// SPDX-License-Identifier: Apache-2.0
// cpp-httplib parses requests and writes responses. It does not limit the time of a request as a
// whole, so sockets, deadlines and threads are handled here.
#include "gradus/serve/http.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

// Debian's library is built with this, which changes the layout of its classes.
#define CPPHTTPLIB_OPENSSL_SUPPORT
#include <httplib.h>

#include "gradus/core/error.h"

namespace gradus::serve {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What a client may use. A request that takes or needs more is refused.
constexpr milliseconds kRequestTime(5000);  // to send a whole request
constexpr milliseconds kWriteTime(10000);   // to accept more of a response
constexpr std::size_t kRequestBytes = std::size_t{256} * 1024;
constexpr int kMostConnections = 100;

// Whether the socket has one of the events before the deadline.
bool wait_for(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
    pollfd entry = {socket, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready > 0) return (entry.revents & events) != 0;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// The connection of one request, which must be read by a deadline and be short.
class RequestStream : public httplib::Stream {
 public:
  explicit RequestStream(int socket) : socket_(socket), deadline_(Clock::now() + kRequestTime) {}

  bool is_readable() const override { return at_ < size_ || wait_for(socket_, POLLIN, deadline_); }
  bool is_writable() const override {
    pollfd entry = {socket_, POLLOUT | POLLRDHUP, 0};
    return ::poll(&entry, 1, static_cast<int>(kWriteTime.count())) > 0 && entry.revents == POLLOUT;
  }
  ssize_t read(char* bytes, size_t size) override {
    if (at_ == size_ && !fill()) return -1;
    const std::size_t count = std::min(size, size_ - at_);
    std::memcpy(bytes, buffer_.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, size_t size) override {
    answered_ = true;
    std::size_t sent = 0;
    while (sent < size) {
      if (!wait_for(socket_, POLLOUT, Clock::now() + kWriteTime)) return -1;
      const ssize_t count = ::send(socket_, bytes + sent, size - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR && errno != EAGAIN) return -1;
      sent += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    return static_cast<ssize_t>(sent);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

  // The response to a request that could not be read, unless it has already been answered.
  void refuse() {
    if (answered_ || (!late_ && !large_)) return;
    const std::string status =
        late_ ? "408 Request Timeout" : "431 Request Header Fields Too Large";
    const std::string text =
        "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    write(text.data(), text.size());
  }

 private:
  bool fill() {
    large_ = large_ || bytes_ >= kRequestBytes;
    if (large_) return false;
    late_ = !wait_for(socket_, POLLIN, deadline_);
    if (late_) return false;
    const std::size_t most = std::min(buffer_.size(), kRequestBytes - bytes_);
    const ssize_t count = ::recv(socket_, buffer_.data(), most, 0);
    if (count <= 0) return false;
    at_ = 0;
    size_ = static_cast<std::size_t>(count);
    bytes_ += size_;
    return true;
  }

  int socket_;
  Clock::time_point deadline_;
  std::array<char, 4096> buffer_ = {};
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  bool late_ = false;
  bool large_ = false;
  bool answered_ = false;
};

// Ends a connection so that the client still gets the response, even if it has not finished
// sending. The socket may be closed then.
void end_gently(int socket) {
  ::shutdown(socket, SHUT_WR);
  std::array<char, 4096> ignored = {};
  const auto deadline = Clock::now() + milliseconds(200);
  while (wait_for(socket, POLLIN, deadline) &&
         ::recv(socket, ignored.data(), ignored.size(), 0) > 0) {
  }
}

struct AddressesDeleter {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

int listen_on(const std::string& host, int port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const std::string address = host + " port " + std::to_string(port);
  if (const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list)) {
    throw InputError("cannot listen on " + address + ": " + ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, AddressesDeleter> addresses(list);
  const int socket = ::socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (socket < 0 || ::bind(socket, list->ai_addr, list->ai_addrlen) != 0 ||
      ::listen(socket, 64) != 0) {
    const std::string reason = std::strerror(errno);
    ::close(socket);
    throw InputError("cannot listen on " + address + ": " + reason + "; choose another --port");
  }
  return socket;
}

int port_of(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  char port[8] = "";
  ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, nullptr, 0, port, sizeof port,
                NI_NUMERICSERV);
  return std::atoi(port);
}

HttpRequest plain(const httplib::Request& from) {
  HttpRequest request{from.method, from.path, {}, {}, from.body};
  for (const auto& [name, value] : from.params) request.query[name] = value;
  for (const auto& [name, value] : from.headers) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    // Of a header that is given twice, neither value can be trusted.
    const auto [known, added] = request.headers.try_emplace(lower, value);
    if (!added) known->second.clear();
  }
  return request;
}

void fill_in(HttpResponse&& answer, httplib::Response& response) {
  response.status = answer.status;
  // The page is one file. Nothing else may be loaded, and no other page may frame it.
  response.set_header("Content-Security-Policy",
                      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                      "img-src data: blob:; connect-src 'self'; frame-ancestors 'none'; "
                      "base-uri 'none'; form-action 'self'");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cache-Control", "no-store");
  if (!answer.stream) return response.set_content(answer.body, answer.type);
  response.set_chunked_content_provider(
      answer.type, [next = std::move(answer.stream)](std::size_t, httplib::DataSink& sink) {
        const std::optional<std::string> text = next();
        if (!text) sink.done();
        return !text || text->empty() || sink.write(text->data(), text->size());
      });
}

}  // namespace

// Sockets with a request, so that stopping can end them.
class HttpServer::Connections {
 public:
  bool add(int socket) {
    const std::lock_guard lock(mutex_);
    if (std::ssize(sockets_) >= kMostConnections) return false;
    return sockets_.insert(socket).second;
  }
  void remove(int socket) {
    const std::lock_guard lock(mutex_);
    sockets_.erase(socket);
    changed_.notify_all();
  }
  void end_all() {
    std::unique_lock lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
    changed_.wait(lock, [&] { return sockets_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<int> sockets_;
};

class HttpServer::Engine : public httplib::Server {
 public:
  Engine(int socket, HttpServer::Handler handler) : handler_(std::move(handler)) {
    svr_sock_ = socket;  // else the library believes that it is shutting down
    set_payload_max_length(kRequestBytes);
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      fill_in(handler_(plain(request)), response);
    };
    // A regular expression for long paths would overflow the stack.
    set_pre_routing_handler([=](const httplib::Request& request, httplib::Response& response) {
      const bool has_body = request.method == "POST" && request.path.size() < kLongestPath;
      if (has_body) return HandlerResponse::Unhandled;
      if (request.method == "GET" || request.method == "HEAD") {
        answer(request, response);
      } else {
        response.status = 405;
      }
      return HandlerResponse::Handled;
    });
    Post(".*", answer);
  }
  ~Engine() override { ::close(svr_sock_); }

  void run(const std::function<bool()>& stop) {
    while (!stop()) {
      if (!wait_for(svr_sock_, POLLIN, Clock::now() + milliseconds(100))) continue;
      const int socket = ::accept4(svr_sock_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0) start(socket);
    }
    connections_.end_all();
  }

 private:
  static constexpr std::size_t kLongestPath = 200;

  void start(int socket) {
    if (!connections_.add(socket)) {
      constexpr std::string_view kBusy = "HTTP/1.1 503 Service Unavailable\r\n\r\n";
      ::send(socket, kBusy.data(), kBusy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      ::close(socket);
      return;
    }
    try {
      std::thread([this, socket] { answer(socket); }).detach();
    } catch (const std::system_error&) {  // no more threads
      connections_.remove(socket);
      ::close(socket);
    }
  }

  void answer(int socket) {
    RequestStream stream(socket);
    bool closed = false;
    // Compression would cost more time than it saves on the way to a nearby browser.
    process_request(stream, true, closed,
                    [](httplib::Request& request) { request.headers.erase("Accept-Encoding"); });
    stream.refuse();
    end_gently(socket);
    // First, because the next connection may get the number of a closed socket at once.
    connections_.remove(socket);
    ::close(socket);
  }

  HttpServer::Handler handler_;
  Connections connections_;
};

std::string value_of(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

HttpServer::HttpServer(const std::string& host, int port, Handler handler) {
  const int socket = listen_on(host, port);
  port_ = port_of(socket);
  engine_ = std::make_unique<Engine>(socket, std::move(handler));
}

HttpServer::~HttpServer() = default;

void HttpServer::run(const std::function<bool()>& stop) {
  engine_->run(stop);
}

}  // namespace gradus::serve
