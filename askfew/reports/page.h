#pragma once

// Reports as one page of HTML, and their tables as text or CSV.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/reports/figure.h"

// Threads: many threads may call the functions and share a const Page; changing a Page needs exclusive
// access.

namespace askfew {

/// A table of texts. Columns after the first are aligned to the right.
struct Table {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows{};
};

/// As CSV, with a header.
std::string csv_of(const Table& table);
/// In columns, for a terminal.
std::string text_of(const Table& table);

/// The result of a run for a claim.
struct Verdict {
  bool holds = false;
  std::string claim;
  std::string found;  ///< the figures of this run
  bool tie = false;   ///< the claim does not hold, but chance may explain the difference
};
/// "reproduced", "a tie" or "not reproduced".
std::string_view word_of(const Verdict& verdict);
/// The verdict for programs.
nlohmann::json json_of(const Verdict& verdict);

/// A report on one page of HTML that needs no other file.
class Page {
 public:
  explicit Page(std::string title) : title_(std::move(title)) {}

  /// A warning in large letters below the title, e.g. that the figures are of a quick run.
  void banner(std::string_view text) { banner_ = text; }
  // The content, from top to bottom.
  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void verdict(const Verdict& verdict);
  void table(const Table& table);
  /// Series of the same title have the same colour and marker in all figures of the page. THROWS: as
  /// `svg_of`.
  void figure(const Figure& figure, std::string_view caption);
  /// Names and values at the end: the configuration, seeds, version, time.
  void facts(const nlohmann::json& facts);

  [[nodiscard]] std::string html() const;
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }

 private:
  std::string title_;
  std::string banner_;
  std::string body_;
  std::size_t figures_ = 0;
  std::map<std::string, std::size_t> looks_;  // of series, by title
  std::vector<Verdict> verdicts_;
};

}  // namespace askfew
