#pragma once

// Many small sessions, one for each value of a field of the lines.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askfew/sessions/recently_used.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/session_ledger.h"
#include "askfew/streams/formats/json/json_key.h"

// Threads: an object is for one thread at a time.

namespace askfew {

/// Settings for many small sessions, one for each value of a field of the lines, each with its own ledger.
/// Only the sessions that were used last are open; the others are on the disk, and are opened again when a
/// line for them comes.
struct KeyedOptions {
  std::string folder;           ///< of the ledgers
  std::string field;            ///< of the lines; its value is the key
  std::size_t most_open = 500;  ///< sessions that are open at the same time
  bool sync = false;            ///< see Recorder
};

class SessionsByKey {
 public:
  using Open = std::function<SessionLedger(const std::string& ledger)>;

  SessionsByKey(KeyedOptions options, Open open)
      : options_(std::move(options)), open_(std::move(open)), reader_(options_.field) {}

  /// As Recorder::answer; each answer has the field, too. THROWS: what opening a session throws, FileError.
  void answer(std::span<const std::string_view> lines, std::int64_t came, std::string& answers);
  /// As Recorder::end, for all sessions.
  [[nodiscard]] bool end();

  /// How often a session was opened.
  [[nodiscard]] std::uint64_t opened() const { return opened_; }

 private:
  struct Live {
    SessionLedger live;
    std::unique_ptr<Recorder> recorder;
  };

  /// Answers the first lines, as many as have one key, and returns their number.
  std::size_t answer_run(std::span<const std::string_view> lines, std::int64_t came, std::string& answers);
  Live& session(const std::string& key, const std::string& ledger, std::int64_t now);
  void refuse(bool is_too_long, std::string& answers) const;

  KeyedOptions options_;
  Open open_;
  JsonKey reader_;
  RecentlyUsed<Live> sessions_;
  std::uint64_t lines_ = 0;
  std::uint64_t opened_ = 0;
  std::string plain_;
};

}  // namespace askfew
