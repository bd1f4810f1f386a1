#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace askfew::server {

/// Requests to a server, one after the other, over one connection. For one thread.
class ApiClient {
 public:
  /// `url`: as http://127.0.0.1:8080 or https://labels.example.org. THROWS: ConfigError for another form.
  ApiClient(const std::string& url, std::string token);
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;
  ApiClient(ApiClient&&) = delete;
  ApiClient& operator=(ApiClient&&) = delete;

  /// The body of the answer. A request whose connection breaks is sent once more: requests of this interface
  /// can be repeated. THROWS: ConfigError with the detail of a problem document; FileError without a
  /// connection.
  std::string send(std::string_view method, const std::string& path, const std::string& body = {});
  /// Calls see(data) for every event, until it returns false or the server ends. THROWS: as above.
  void watch(const std::string& path, const std::function<bool(std::string_view data)>& see);

 private:
  struct Link;

  std::unique_ptr<Link> link_;
  std::string token_;
};

}  // namespace askfew::server
