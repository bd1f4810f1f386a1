#include "apps/server/accounts.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

namespace askfew::server {
namespace {

using nlohmann::json;

constexpr std::int64_t session_seconds = 14 * 86'400;
constexpr std::size_t max_name = 100;
/// The hash of a random text that nobody knows.
constexpr const char* nobodys_password =
    "$argon2id$v=19$m=65536,t=2,p=1$xZN+Q4n2+nSK3Bwv4U8HmA$mxWEH1"
    "QzX+56pB55tSg3KClJKAUPymm+G89FTYIXXrU";
constexpr std::string_view roles[] = {"reader", "annotator", "engineer", "admin"};

std::string hex_of(std::span<const unsigned char> bytes) {
  std::string hex(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), bytes.data(), bytes.size());
  hex.pop_back();
  return hex;
}

std::string random_secret() {
  std::array<unsigned char, 32> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return hex_of(bytes);
}

std::string hash_of(std::string_view secret) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(secret.data()), secret.size());
  return hex_of(hash);
}

json json_of(const std::optional<std::vector<std::string>>& projects) {
  return projects ? json(*projects) : json();
}

}  // namespace

std::string_view text_of(Role role) {
  return roles[static_cast<std::size_t>(role)];
}

std::optional<Role> role_of(std::string_view text) {
  const auto found = std::ranges::find(roles, text);
  if (found == std::end(roles)) return std::nullopt;
  return static_cast<Role>(found - std::begin(roles));
}

std::string password_hash(const std::string& password) {
  constexpr std::size_t least = 8;
  constexpr std::size_t most = 1000;
  if (password.size() < least || password.size() > most)
    throw ConfigError(fmt::format("a password has {} to {} bytes", least, most));
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  if (crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                            crypto_pwhash_MEMLIMIT_INTERACTIVE, crypto_pwhash_ALG_ARGON2ID13) != 0)
    throw MemoryError("no memory to hash a password");
  return hash.data();
}

bool is_password(const std::string& password, const std::string& hash) {
  return crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

bool Account::may_see(const std::string& project) const {
  return !projects || std::ranges::find(*projects, project) != projects->end();
}

/// A connection, and statements that are closed in any case.
struct Accounts::Database {
  sqlite3* connection = nullptr;

  explicit Database(const std::string& path) {
    if (sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) !=
        SQLITE_OK) {
      const std::string why = sqlite3_errmsg(connection);
      sqlite3_close(connection);
      throw FileError(fmt::format("{}: {}", path, why));
    }
    constexpr mode_t only_for_the_owner = 0600;
    chmod(path.c_str(), only_for_the_owner);
  }
  ~Database() { sqlite3_close(connection); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database(Database&&) = delete;
  Database& operator=(Database&&) = delete;

  using Values = std::vector<std::string>;
  /// Runs one statement with these parameters, and returns its rows as texts. THROWS: FileError.
  std::vector<Values> run(const std::string& sql, const Values& parameters = {}) {
    sqlite3_stmt* raw = nullptr;
    const int prepared = sqlite3_prepare_v2(connection, sql.c_str(), -1, &raw, nullptr);
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    if (prepared != SQLITE_OK) fail();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      sqlite3_bind_text(raw, static_cast<int>(k) + 1, parameters[k].data(),
                        static_cast<int>(parameters[k].size()), SQLITE_TRANSIENT);
    }
    std::vector<Values> rows;
    int step = 0;
    while ((step = sqlite3_step(raw)) == SQLITE_ROW) {
      Values& row = rows.emplace_back();
      for (int k = 0; k < sqlite3_column_count(raw); ++k) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, k));
        row.emplace_back(text == nullptr ? "" : text);
      }
    }
    if (step != SQLITE_DONE) fail();
    return rows;
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("the database of accounts: {}", sqlite3_errmsg(connection)));
  }
};

Accounts::Accounts(const std::string& path) {
  if (sodium_init() < 0) throw FileError("no source of random numbers");
  database_ = std::make_unique<Database>(path);
  database_->run("PRAGMA journal_mode = WAL");
  database_->run("PRAGMA synchronous = NORMAL");
  database_->run(
      "CREATE TABLE IF NOT EXISTS accounts (number INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, role TEXT "
      "NOT NULL, projects TEXT NOT NULL, hash TEXT UNIQUE NOT NULL, created INTEGER NOT NULL)");
  database_->run(
      "CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, account INTEGER NOT NULL, csrf TEXT NOT "
      "NULL, until INTEGER NOT NULL)");
  database_->run("DROP TABLE IF EXISTS leases");  // of earlier versions: one person per question
  database_->run(
      "CREATE TABLE IF NOT EXISTS question_leases (project TEXT NOT NULL, question TEXT NOT NULL, person "
      "TEXT "
      "NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (project, question, person))");
  database_->run("CREATE TABLE IF NOT EXISTS passwords (account INTEGER PRIMARY KEY, hash TEXT NOT NULL)");
  load();
}

Accounts::~Accounts() = default;

void Accounts::load() {
  std::map<std::int64_t, Account> by_number;
  for (const auto& row : database_->run("SELECT number, name, role, projects, hash, created FROM accounts")) {
    Account account{.number = std::stoll(row[0]),
                    .name = row[1],
                    .role = role_of(row[2]).value_or(Role::reader),
                    .projects = {},
                    .created = std::stoll(row[5])};
    if (const json projects = try_parse_json(row[3]); projects.is_array())
      account.projects = projects.get<std::vector<std::string>>();
    by_number[account.number] = account;
    by_hash_[row[4]] = account;
  }
  for (const auto& row : database_->run("SELECT hash, account, csrf, until FROM sessions")) {
    const auto account = by_number.find(std::stoll(row[1]));
    if (account != by_number.end()) sessions_[row[0]] = {account->second, row[2], std::stoll(row[3])};
  }
  for (const auto& row : database_->run("SELECT account, hash FROM passwords"))
    passwords_[std::stoll(row[0])] = row[1];
}

std::vector<Account> Accounts::list() const {
  std::vector<Account> accounts;
  for (const auto& [hash, account] : by_hash_) accounts.push_back(account);
  std::ranges::sort(accounts, {}, &Account::number);
  return accounts;
}

std::string Accounts::add(const std::string& name, Role role,
                          const std::optional<std::vector<std::string>>& projects) {
  const bool has_controls =
      std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (name.empty() || name.size() > max_name || has_controls || !is_utf8(name))
    throw ConfigError(fmt::format("a name has 1 to {} bytes, without control characters", max_name));
  if (std::ranges::any_of(by_hash_, [&](const auto& one) { return one.second.name == name; }))
    throw ConfigError(fmt::format("the name {} is taken", in_quotes(name)));
  const std::string token = "askfew-" + random_secret();
  const std::string hash = hash_of(token);
  const std::int64_t now = std::time(nullptr);
  database_->run("INSERT INTO accounts (name, role, projects, hash, created) VALUES (?, ?, ?, ?, ?)",
                 {name, std::string(text_of(role)), json_text(json_of(projects)), hash, std::to_string(now)});
  const std::int64_t number = sqlite3_last_insert_rowid(database_->connection);
  by_hash_[hash] = {.number = number, .name = name, .role = role, .projects = projects, .created = now};
  return token;
}

bool Accounts::remove(std::int64_t number) {
  const auto is_it = [&](const auto& one) { return one.second.number == number; };
  const auto found = std::ranges::find_if(by_hash_, is_it);
  if (found == by_hash_.end()) return false;
  database_->run("DELETE FROM sessions WHERE account = ?", {std::to_string(number)});
  database_->run("DELETE FROM passwords WHERE account = ?", {std::to_string(number)});
  database_->run("DELETE FROM accounts WHERE number = ?", {std::to_string(number)});
  passwords_.erase(number);
  by_hash_.erase(found);
  std::erase_if(sessions_, [&](const auto& one) { return one.second.account.number == number; });
  return true;
}

const Account* Accounts::of_token(const std::string& token) const {
  const auto found = by_hash_.find(hash_of(token));
  return found == by_hash_.end() ? nullptr : &found->second;
}

const Account* Accounts::of_name(const std::string& name) const {
  const auto found = std::ranges::find_if(by_hash_, [&](const auto& one) { return one.second.name == name; });
  return found == by_hash_.end() ? nullptr : &found->second;
}

std::string Accounts::password_hash_of(const std::string& name) const {
  const Account* account = of_name(name);
  const auto found = account == nullptr ? passwords_.end() : passwords_.find(account->number);
  return found == passwords_.end() ? nobodys_password : found->second;
}

void Accounts::set_password(std::int64_t number, const std::string& hash) {
  database_->run("INSERT OR REPLACE INTO passwords (account, hash) VALUES (?, ?)",
                 {std::to_string(number), hash});
  passwords_[number] = hash;
}

Accounts::Login Accounts::log_in(const Account& account, std::int64_t now) {
  std::erase_if(sessions_, [&](const auto& one) { return one.second.until <= now; });
  database_->run("DELETE FROM sessions WHERE until <= ?", {std::to_string(now)});
  Login login{.cookie = random_secret(), .csrf = random_secret()};
  const std::string hash = hash_of(login.cookie);
  const std::int64_t until = now + session_seconds;
  database_->run("INSERT INTO sessions (hash, account, csrf, until) VALUES (?, ?, ?, ?)",
                 {hash, std::to_string(account.number), login.csrf, std::to_string(until)});
  sessions_[hash] = {account, login.csrf, until};
  return login;
}

void Accounts::log_out(const std::string& cookie) {
  const std::string hash = hash_of(cookie);
  database_->run("DELETE FROM sessions WHERE hash = ?", {hash});
  sessions_.erase(hash);
}

std::optional<PageSession> Accounts::of_cookie(const std::string& cookie, std::int64_t now) const {
  const auto found = sessions_.find(hash_of(cookie));
  if (found == sessions_.end() || found->second.until <= now) return std::nullopt;
  return PageSession{.account = found->second.account, .csrf = found->second.csrf};
}

std::map<std::string, Leases> Accounts::leases(std::int64_t now) {
  database_->run("DELETE FROM question_leases WHERE until <= ?", {std::to_string(now)});
  std::map<std::string, Leases> leases;
  for (const auto& row : database_->run("SELECT project, question, person, until FROM question_leases"))
    leases[row[0]][row[1]][row[2]] = std::stoll(row[3]);
  return leases;
}

void Accounts::keep_leases(const std::string& project, const Leases& leases) {
  if (leases.empty()) return;
  database_->run("BEGIN");
  try {
    for (const auto& [question, people] : leases) {
      for (const auto& [person, until] : people) {
        database_->run(
            "INSERT OR REPLACE INTO question_leases (project, question, person, until) VALUES (?, ?, ?, ?)",
            {project, question, person, std::to_string(until)});
      }
    }
    database_->run("COMMIT");
  } catch (const FileError&) {
    sqlite3_exec(database_->connection, "ROLLBACK", nullptr, nullptr, nullptr);  // else no BEGIN works again
    throw;
  }
}

}  // namespace askfew::server
