// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <sys/random.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/ready_configs.h"
#include "gradus/core/error.h"
#include "gradus/serve/app.h"
#include "web/pages.h"

namespace gradus::cli {
namespace {

struct ServeOptions {
  std::vector<std::string> folders;
  std::string host = "127.0.0.1";
  int port = 8717;
};

std::string random_token() {
  std::array<unsigned char, 16> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "cannot make a random token");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string url_of(const ServeOptions& options, int port, const std::string& token) {
  const bool is_ipv6 = options.host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/?token={}", is_ipv6 ? "[" + options.host + "]" : options.host,
                     port, token);
}

std::vector<std::string> folders_of(const ServeOptions& options) {
  if (!options.folders.empty()) return options.folders;
  return {std::filesystem::is_directory("runs") ? "runs" : "."};
}

void run_server(const ServeOptions& options) {
  const serve::Folders folders(folders_of(options));
  const std::string token = random_token();
  serve::App app(folders, serve_page(), std::filesystem::read_symlink("/proc/self/exe"),
                 ready_configs());
  std::unique_ptr<serve::Guard> guard;
  serve::HttpServer server(options.host, options.port, [&](const serve::HttpRequest& request) {
    return app.answer(request, *guard);
  });
  guard = std::make_unique<serve::Guard>(options.host, server.port(), token);
  for (const auto& root : folders.roots()) fmt::print("Watching {}\n", root.string());
  fmt::print("Open {}\n", url_of(options, server.port(), token));
  fmt::print("The token allows {} runs. Ctrl-C ends the server, but no run.\n",
             serve::is_loopback(options.host) ? "starting and stopping" : "watching and changing");
  std::fflush(stdout);
  catch_interrupts("requests that are being answered");
  server.run([&] {
    app.collect_children();
    if (interrupted()) app.stop();
    return interrupted();
  });
}

}  // namespace

void add_serve(CLI::App& app) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Watch, compare and control runs on a live page in the browser");
  command
      ->add_option(
          "folders", options->folders,
          "folders of runs, sweeps or records; default: runs, or else the working directory")
      ->type_name("DIR...");
  command->add_option("--port", options->port, "port to listen on; 0: any free port")
      ->type_name("N")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command
      ->add_option("--host", options->host,
                   "address to listen on; if other machines can reach it, every request needs the "
                   "token")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command->footer(
      "The command prints the page's address with a token. Without the token the page can be read\n"
      "on this machine, but nothing can be changed. Runs that are started from the page go on "
      "when\n"
      "the server ends. docs/serve.md describes the page.");
  command->callback([options] { run_server(*options); });
}

}  // namespace gradus::cli
