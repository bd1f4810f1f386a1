#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/service/question_desk.h"

namespace askfew::server {

/// What a person or a program may do; each role may do what the roles before it may.
enum class Role : std::uint8_t {
  reader,     ///< reads reports and labels
  annotator,  ///< answers questions
  engineer,   ///< sends instances, makes and changes projects
  admin       ///< makes tokens
};
std::string_view text_of(Role role);
std::optional<Role> role_of(std::string_view text);

/// The holder of a token. The name is who said it, in the ledger.
struct Account {
  std::int64_t number = 0;
  std::string name;
  Role role = Role::reader;
  std::optional<std::vector<std::string>> projects;  ///< nothing: all
  std::int64_t created = 0;                          ///< in seconds since 1970

  [[nodiscard]] bool may_see(const std::string& project) const;
};

using Leases = QuestionDesk::Leases;

/// A login of the page. The cookie and the CSRF token are known to the browser only; the database has a hash.
struct PageSession {
  Account account;
  std::string csrf;
};

// Passwords are slow to check on purpose: tens of milliseconds and 64 MiB. Any thread may call these.

/// The Argon2id hash of a password, with its salt. THROWS: ConfigError for a password that is too short or
/// too long, MemoryError.
std::string password_hash(const std::string& password);
bool is_password(const std::string& password, const std::string& hash);

/// Tokens, passwords, page sessions and leases, in an SQLite database. Nothing here is a decision: without
/// the file no label is lost. Secrets are stored as SHA-256 of 32 random bytes. For one thread at a time.
class Accounts {
 public:
  /// THROWS: FileError.
  explicit Accounts(const std::string& path);
  ~Accounts();
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;
  Accounts(Accounts&&) = delete;
  Accounts& operator=(Accounts&&) = delete;

  [[nodiscard]] bool is_empty() const { return by_hash_.empty(); }
  [[nodiscard]] std::vector<Account> list() const;
  /// Returns the token, which is stored nowhere. THROWS: ConfigError for a name that is taken or bad.
  std::string add(const std::string& name, Role role,
                  const std::optional<std::vector<std::string>>& projects);
  /// False: no such account. Its page sessions end.
  bool remove(std::int64_t number);
  [[nodiscard]] const Account* of_token(const std::string& token) const;

  [[nodiscard]] const Account* of_name(const std::string& name) const;
  /// The hash of a person's password. Nobody and a person without a password have a hash that fits no
  /// password, so that a check takes its time in any case.
  [[nodiscard]] std::string password_hash_of(const std::string& name) const;
  void set_password(std::int64_t number, const std::string& hash);

  struct Login {
    std::string cookie;
    std::string csrf;
  };
  Login log_in(const Account& account, std::int64_t now);
  void log_out(const std::string& cookie);
  [[nodiscard]] std::optional<PageSession> of_cookie(const std::string& cookie, std::int64_t now) const;

  /// All leases that have not ended at this time (in microseconds since 1970), by project and question.
  [[nodiscard]] std::map<std::string, Leases> leases(std::int64_t now);
  void keep_leases(const std::string& project, const Leases& leases);

 private:
  struct Database;
  struct Stored {
    Account account;
    std::string csrf;
    std::int64_t until = 0;
  };

  void load();

  std::unique_ptr<Database> database_;
  std::map<std::string, Account> by_hash_;
  std::map<std::string, Stored> sessions_;         // by the hash of the cookie
  std::map<std::int64_t, std::string> passwords_;  // hashes, by the number of the account
};

}  // namespace askfew::server
