#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "askfew/json/json_text.h"
#include "askfew/sessions/line_buffer.h"

#include "apps/server/awaiting.h"
#include "apps/server/http_connection.h"
#include "apps/server/json_body.h"
#include "apps/server/limits.h"

namespace askfew::server {

/// Lines of one request that are answered while they come. Reading and writing go on at the same time,
/// because many clients read only after they have sent everything; only so many answers wait for such a
/// client.
class LineStream {
 public:
  LineStream(asio::io_context& io, Awaiting& awaiting, HttpConnection& connection, const Routed& routed)
      : io_(io), awaiting_(awaiting), connection_(connection), routed_(routed), written_(io) {}

  /// Reads all lines and writes all answers.
  asio::awaitable<void> run() {
    Response response;
    response.type = "application/x-ndjson";
    co_await connection_.send_header(response, true);
    // The time-outs of the stream are for reading or writing, not for both.
    connection_.stream().expires_never();
    LineBuffer input;
    std::string problem;
    while (!connection_.is_body_done() && problem.empty() && !failed_) {
      const std::span<char> room = input.room();
      error_code error;
      asio::steady_timer late(io_, idle_time);
      late.async_wait([this](error_code cancelled) {
        if (!cancelled) connection_.stream().cancel();
      });
      const std::size_t got = co_await connection_.read_body_some(room, error);
      late.cancel();
      if (error) {
        problem = "the lines have no end: " + error.message();
        break;
      }
      const auto lines = input.lines(got);
      if (!lines.empty()) problem = co_await answer_lines(lines);
      start_writing();
      while (text_.size() > max_unread && !failed_) co_await next_piece();
    }
    if (problem.empty() && !failed_) {
      const auto last = input.last_line();
      if (!last.empty()) problem = co_await answer_lines(last);
    }
    if (!problem.empty()) text_ += json_text(nlohmann::json{{"error", problem}}) + "\n";
    start_writing();
    while (is_writing_) co_await next_piece();
    if (failed_) co_return;
    co_await connection_.send_text("0\r\n\r\n");
  }

 private:
  /// Appends the answers to lines; returns the problem that ends the stream, or an empty text.
  asio::awaitable<std::string> answer_lines(std::span<const std::string_view> lines) {
    for (const std::string_view line : lines) {
      if (line.size() > max_line) co_return fmt::format("a line of more than {} bytes", max_line);
      if (is_too_deep(line)) co_return fmt::format("a line that is nested deeper than {}", max_depth);
    }
    std::string answers;
    const bool takes = routed_.kind == Routed::Kind::instances;
    const Projects::Work work = [&](Project& project) {
      if (takes) {
        project.take_lines(lines, answers);
      } else {
        project.predict(lines, answers);
      }
    };
    const Awaiting::Failure failure = co_await awaiting_.in_project(routed_.call.project, work);
    if (failure.exception) co_return parse_json(response_of(failure.exception).body)["detail"];
    text_ += answers;
    co_return std::string();
  }

  void start_writing() {
    if (is_writing_ || failed_ || text_.empty()) return;
    is_writing_ = true;
    asio::co_spawn(io_, write_answers(), asio::detached);
  }

  asio::awaitable<void> write_answers() {
    while (!text_.empty() && !failed_) {
      std::string piece;
      piece.swap(text_);
      const std::string head = fmt::format("{:x}\r\n", piece.size());
      constexpr std::string_view end = "\r\n";
      error_code error;
      asio::steady_timer late(io_, idle_time);
      late.async_wait([this](error_code cancelled) {
        if (!cancelled) connection_.stream().cancel();
      });
      const Pieces pieces{asio::buffer(head), asio::buffer(piece), asio::buffer(end)};
      co_await connection_.stream().write(pieces, error);
      late.cancel();
      failed_ = static_cast<bool>(error);
      written_.cancel();
    }
    is_writing_ = false;
    written_.cancel();
  }

  asio::awaitable<void> next_piece() {
    error_code ignored;
    written_.expires_after(1s);
    co_await written_.async_wait(ignoring(ignored));
  }

  asio::io_context& io_;
  Awaiting& awaiting_;
  HttpConnection& connection_;
  const Routed& routed_;
  std::string text_;            // answers that are not on their way yet
  asio::steady_timer written_;  // cancelled after each piece
  bool is_writing_ = false;
  bool failed_ = false;
};

}  // namespace askfew::server
