#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "askfew/core/errors.h"
#include "askfew/postgres/postgres_ledger.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/server/server.h"

namespace askfew::cli {
namespace {

struct ServeCommand {
  server::ServerOptions options;
  std::uint64_t port = 8080;
  std::uint64_t lease = 600;
  std::uint64_t hold = 600;
  std::uint64_t rate = 1000;
  std::string ledger;
  bool no_sync = false;
  bool log = false;

  void operator()();
};

void ServeCommand::operator()() {
  options.port = static_cast<std::uint16_t>(port);
  options.lease = static_cast<std::int64_t>(lease);
  options.patience = static_cast<std::int64_t>(hold);
  options.rate = static_cast<double>(rate);
  options.sync = !no_sync;
  options.threads = std::max(1U, std::thread::hardware_concurrency());
  options.say = [](const std::string& line) { std::cout << line << std::endl; };
  options.warn = [](const std::string& line) { std::cerr << "askfew: " << line << std::endl; };
  if (!ledger.empty()) options.ledgers = ledgers_at(ledger);
  if (log) options.log = [](const std::string& line) { std::cerr << line << '\n'; };
  server::run_server(options);
}

}  // namespace

void add_serve(Command& program, Ending&) {
  auto serve = std::make_shared<ServeCommand>();
  Command* command = program.add_subcommand(
      "serve", "Serve projects over HTTP: programs send instances, people answer questions in the browser.");
  server::ServerOptions& options = serve->options;
  const auto number = [&](const std::string& names, std::uint64_t& value, const std::string& help,
                          std::uint64_t least, std::uint64_t most) {
    command->add_option(names, value, help)
        ->unshown_range(least, most)
        ->type_name("N")
        ->capture_default_str();
  };
  command->add_option("FOLDER", options.folder, "the folder of the projects; created if it does not exist")
      ->required()
      ->check(a_name);
  command->add_option("--address", options.address, "listen on this address of the machine")
      ->type_name("ADDRESS")
      ->capture_default_str();
  number("--port", serve->port, "listen on this port; 0: the system chooses one", 0, 65'535);
  number("--lease", serve->lease, "seconds that a person has a question before others get it", 1, 1'000'000);
  number("--hold", serve->hold, "seconds without an answer after which a person's last answers are learned",
         1, 1'000'000);
  number("--rate", serve->rate, "requests a second that one token may send; 0: any number", 0, 1'000'000'000);
  number("--max-open", options.max_open, "most projects in memory; others are closed when nobody uses them",
         1, 1'000'000);
  command
      ->add_option(
          "--open-memory", options.open_memory,
          "if the server takes more memory than this, it closes small projects that nobody uses; a request "
          "opens them again (default: 768MiB)")
      ->transform(size_in_bytes)
      ->type_name("SIZE");
  number("--max-connections", options.max_connections, "connections at the same time", 1, 1'000'000);
  command
      ->add_option(
          "--ledger", serve->ledger,
          "keep the ledgers in this PostgreSQL database: postgresql://USER@HOST/DATABASE?ledger=NAME")
      ->type_name("ADDRESS")
      ->check(a_name);
  command->add_flag("--no-sync", serve->no_sync,
                    "do not wait for the disk: a power failure may lose the last seconds");
  command
      ->add_option("--tls-certificate", options.tls_certificate,
                   "speak HTTPS with this certificate: a file in PEM, with the chain behind it")
      ->type_name("FILE")
      ->check(a_name);
  command->add_option("--tls-key", options.tls_key, "the private key of the certificate, in PEM")
      ->type_name("FILE")
      ->check(a_name)
      ->needs("--tls-certificate");
  command->get_option("--tls-certificate")->needs("--tls-key");
  command->add_flag("--behind-proxy", options.behind_proxy,
                    "trust X-Forwarded-For and X-Forwarded-Proto, which a proxy in front sets");
  command->add_flag("--secure-cookies", options.secure_cookies,
                    "let browsers send cookies only over HTTPS, e.g. because a proxy in front speaks it");
  command->add_flag("--log", serve->log, "a line of JSON on standard error for each request");
  add_max_memory(*command, options.max_memory);
  command->callback([serve] { (*serve)(); });
}

}  // namespace askfew::cli
