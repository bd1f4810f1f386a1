#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

// What one client may take of the server.

namespace askfew::server {

inline constexpr std::uint32_t max_header = 16 * 1024;
inline constexpr std::size_t max_read =
    128 * 1024;  ///< bytes of a connection that are read or written at once
inline constexpr std::uint64_t max_body = std::uint64_t{8} << 20;
inline constexpr std::uint64_t max_stream = std::uint64_t{1} << 40;  ///< bytes of lines in one request
inline constexpr std::uint64_t max_stranger = 64 * 1024;             ///< bytes that are read before a login
inline constexpr std::size_t max_unread = std::size_t{32} << 20;  ///< answers that a client has not read yet
inline constexpr std::size_t max_refused = 100;  ///< connections that are told that there are too many

inline constexpr std::chrono::seconds idle_time{60};  ///< for the next request, or a piece of one
inline constexpr std::chrono::seconds body_time{30};
inline constexpr std::chrono::seconds stop_time{10};

}  // namespace askfew::server
