// Requests to `askfew serve`, compared with a bare Beast server that sends each body back.
//
//   build/release/bench/bench_server build/release/apps/cli/askfew [seconds]
//
// The echo server and askfew take turns with the same clients. The clients wait for each answer (throughput),
// or send at a fixed rate (latency). Processor time per request hardly depends on other programs that run.

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Clock = std::chrono::steady_clock;

/// The bare server: one thread, each body comes back.
class Echo {
 public:
  Echo() : acceptor_(io_, {asio::ip::make_address("127.0.0.1"), 0}) {
    asio::co_spawn(io_, accept_all(), asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Echo() {
    io_.stop();
    thread_.join();
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;
  Echo(Echo&&) = delete;
  Echo& operator=(Echo&&) = delete;
  [[nodiscard]] int port() const { return acceptor_.local_endpoint().port(); }
  /// Seconds of its thread.
  [[nodiscard]] double processor_seconds() {
    clockid_t clock{};
    timespec time{};
    if (pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 || clock_gettime(clock, &time) != 0)
      return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  asio::awaitable<void> accept_all() {
    while (true) {
      auto socket = co_await acceptor_.async_accept(asio::use_awaitable);
      socket.set_option(asio::ip::tcp::no_delay(true));
      asio::co_spawn(io_, serve(beast::tcp_stream(std::move(socket))), asio::detached);
    }
  }
  static asio::awaitable<void> serve(beast::tcp_stream stream) {
    beast::flat_buffer buffer;
    try {
      while (true) {
        http::request<http::string_body> request;
        co_await http::async_read(stream, buffer, request, asio::use_awaitable);
        http::response<http::string_body> response{http::status::ok, 11};
        response.body() = std::move(request.body());
        response.prepare_payload();
        co_await http::async_write(stream, response, asio::use_awaitable);
      }
    } catch (const std::exception&) {
      // The client has gone.
    }
  }

  asio::io_context io_{1};
  asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

/// A keep-alive connection on plain sockets, so that the client costs little.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client(Client&&) = delete;
  Client& operator=(Client&&) = delete;

  /// Sends a request and returns the whole response. REQUIRES: the response has a Content-Length.
  std::string_view send(const std::string& request) {
    write_all(request);
    text_.clear();
    std::size_t needed = std::string::npos;
    while (text_.size() < needed) {
      read_some();
      const std::size_t end = text_.find("\r\n\r\n");
      if (needed != std::string::npos || end == std::string::npos) continue;
      const std::size_t length = text_.find("Content-Length: ");
      if (length == std::string::npos || length > end)
        throw std::runtime_error("a response without a length");
      needed = end + 4 + std::strtoull(text_.c_str() + length + 16, nullptr, 10);
    }
    return text_;
  }
  void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) throw std::runtime_error("the server has closed the connection");
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  /// False: the server has closed the connection.
  bool read_some() {
    std::array<char, 1 << 16> piece;
    const ssize_t got = recv(socket_, piece.data(), piece.size(), 0);
    if (got < 0) throw std::runtime_error("cannot read");
    text_.append(piece.data(), static_cast<std::size_t>(got));
    if (got == 0 && !is_at_end_) {
      is_at_end_ = true;
      return false;
    }
    if (got == 0) throw std::runtime_error("the server has closed the connection");
    return true;
  }
  std::string& text() { return text_; }

 private:
  int socket_;
  std::string text_;
  bool is_at_end_ = false;
};

std::string request_of(const std::string& path, const std::string& token, const std::string& body) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      path, token, body.size(), body);
}

std::string instance(std::size_t k) {
  return fmt::format(
      R"({{"id": "m{}", "text": "cheap watches number {} buy now or never in {} days from our shop {}"}})", k,
      k % 977, k % 31, k % 101);
}

struct Target {
  int port = 0;
  std::string path;
  std::string token;
};

std::atomic<std::size_t> next_instance = 0;

/// Requests a second of clients that wait for each answer.
double throughput(const Target& target, int clients, double seconds) {
  std::atomic<std::size_t> count = 0;
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  const auto end = start + std::chrono::duration<double>(seconds);
  for (int k = 0; k < clients; ++k) {
    threads.emplace_back([&] {
      Client client(target.port);
      while (Clock::now() < end) {
        client.send(request_of(target.path, target.token, instance(next_instance++)));
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(count) / std::chrono::duration<double>(Clock::now() - start).count();
}

/// Milliseconds from the planned time of each request to its answer, sorted.
std::vector<double> latencies(const Target& target, int clients, double rate, double seconds) {
  std::vector<std::vector<double>> all(static_cast<std::size_t>(clients));
  std::vector<std::thread> threads;
  for (int k = 0; k < clients; ++k) {
    threads.emplace_back([&, k] {
      Client client(target.port);
      const auto pause =
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(clients / rate));
      auto planned = Clock::now() + pause * k / clients;
      const auto end = planned + std::chrono::duration<double>(seconds);
      for (; planned < end; planned += pause) {
        std::this_thread::sleep_until(planned);
        client.send(request_of(target.path, target.token, instance(next_instance++)));
        all[static_cast<std::size_t>(k)].push_back(
            std::chrono::duration<double, std::milli>(Clock::now() - planned).count());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<double> sorted;
  for (const auto& one : all) sorted.insert(sorted.end(), one.begin(), one.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// Instances a second that come as lines in one request.
double bulk(const Target& target, std::size_t count) {
  std::string lines;
  for (std::size_t k = 0; k < count; ++k) lines += instance(next_instance++) + "\n";
  Client client(target.port);
  const auto start = Clock::now();
  std::thread reader([&] {
    while (client.read_some()) {
    }
  });
  client.write_all(
      fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: "
                  "application/x-ndjson\r\nContent-Length: {}\r\n\r\n",
                  target.path, target.token, lines.size()));
  client.write_all(lines);
  reader.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::size_t answers = 0;
  for (std::size_t at = 0; (at = client.text().find("\"ask\":", at)) != std::string::npos; ++at) ++answers;
  if (answers != count) throw std::runtime_error(fmt::format("{} answers to {} lines", answers, count));
  return static_cast<double>(count) / seconds;
}

/// Seconds of all threads of a process.
double processor_seconds_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string word;
  double ticks = 0;
  for (int k = 1; k <= 15 && file >> word; ++k) {  // the name of the program has no blank
    if (k >= 14) ticks += std::strtod(word.c_str(), nullptr);
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The server as a child process.
struct Child {
  FILE* output = nullptr;
  pid_t process = 0;
  Target target;

  Child(const std::string& askfew, const std::string& folder) {
    std::array<int, 2> pipe_ends{};
    if (pipe(pipe_ends.data()) != 0) throw std::runtime_error("no pipe");
    process = fork();
    if (process == 0) {
      dup2(pipe_ends[1], STDOUT_FILENO);
      execl(askfew.c_str(), askfew.c_str(), "serve", folder.c_str(), "--port", "0", "--rate", "0", nullptr);
      _exit(127);
    }
    close(pipe_ends[1]);
    output = fdopen(pipe_ends[0], "r");
    const auto last_word = [&] {
      std::array<char, 1000> line{};
      if (std::fgets(line.data(), line.size(), output) == nullptr) throw std::runtime_error("no server");
      std::string text = line.data();
      text.pop_back();
      return text.substr(text.find_last_of(" :") + 1);
    };
    target.token = last_word();
    target.port = std::atoi(last_word().c_str());
    const std::string settings =
        R"({"name": "bench", "labels": ["spam", "ham"], "budget": "5%", "audit": "0.5%"})";
    Client(target.port).send(request_of("/api/v1/projects", target.token, settings));
    target.path = "/api/v1/projects/bench/instances";
  }
  ~Child() {
    kill(process, SIGTERM);
    waitpid(process, nullptr, 0);
    std::fclose(output);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: bench_server ASKFEW [SECONDS]\n", stderr);
    return 2;
  }
  const double seconds = argc > 2 ? std::atof(argv[2]) : 2;
  const std::string folder = fmt::format("bench-server-{}", getpid());
  {
    const Child askfew(argv[1], folder);
    Echo echo;
    const Target bare{.port = echo.port(), .path = "/", .token = ""};
    constexpr int clients = 8;
    constexpr int turns = 5;
    std::vector<double> ratios;
    std::vector<double> rates;
    std::vector<double> costs;
    std::vector<double> cost_ratios;
    for (int turn = 0; turn < turns; ++turn) {
      const double echo_before = echo.processor_seconds();
      const double of_echo = throughput(bare, clients, seconds);
      const double echo_cost = (echo.processor_seconds() - echo_before) / (of_echo * seconds);
      const double before = processor_seconds_of(askfew.process);
      rates.push_back(throughput(askfew.target, clients, seconds));
      ratios.push_back(rates.back() / of_echo);
      costs.push_back(1e6 * (processor_seconds_of(askfew.process) - before) / (rates.back() * seconds));
      cost_ratios.push_back(costs.back() / (1e6 * echo_cost));
    }
    fmt::print("one instance a request, {} connections: {:.0f} requests/s, {:.2f} of the bare echo server\n",
               clients, median(rates), median(ratios));
    fmt::print("processor time of a request: {:.1f} us in all threads, {:.1f} times the echo server's\n",
               median(costs), median(cost_ratios));
    for (const double rate : {500.0, 2000.0}) {
      for (const auto& [name, target] : {std::pair{"echo", bare}, std::pair{"askfew", askfew.target}}) {
        const std::vector<double> times = latencies(target, clients, rate, seconds);
        fmt::print("at {:.0f} requests/s: {} p50 {:.2f} ms, p99 {:.2f} ms\n", rate, name,
                   times[times.size() / 2], times[times.size() * 99 / 100]);
      }
    }
    std::vector<double> bulks;
    for (int turn = 0; turn < turns; ++turn) bulks.push_back(bulk(askfew.target, 50'000));
    fmt::print("lines in one request: {:.0f} instances/s\n", median(bulks));
  }
  std::filesystem::remove_all(folder);
}
