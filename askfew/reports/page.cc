#include "askfew/reports/page.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"

namespace askfew {
namespace {

constexpr std::string_view style = R"(
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
.verdict { border-left: 5px solid; padding: .5rem 1rem; margin: .7rem 0; background: #f6f6f6; }
.holds { border-color: #228833; } .tie { border-color: #BB9900; } .fails { border-color: #CC3311; } .verdict b { margin-right: .4rem; }
.holds b { color: #1a6b29; } .tie b { color: #7a6400; } .fails b { color: #AA2200; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: #555; padding-bottom: .3rem; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
th { border-bottom: 2px solid #999; vertical-align: bottom; } th:first-child, td:first-child { text-align: left; }
.long { white-space: normal; text-align: left; min-width: 12rem; max-width: 26rem; overflow-wrap: anywhere; }
.banner { font-size: 1.5rem; font-weight: 700; line-height: 1.3; padding: .6rem 1rem; background: #FFF3CD; border: 2px solid #BB9900; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; max-width: 45rem; height: auto; } figcaption { color: #555; font-size: .9rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem; font-size: .85rem; } dt { color: #555; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; padding: 0 .6rem; } h1 { font-size: 1.35rem; } th, td { padding: .2rem .4rem; }
  table { font-size: .8rem; } dl { display: block; } dd { margin-bottom: .4rem; }
  .banner { font-size: 1.2rem; }
}
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string row_of(const std::vector<std::string>& cells, std::string_view tag) {
  std::string row = "<tr>";
  constexpr std::size_t longest_line = 30;  // longer cells, such as the parameters of a sampler, are wrapped
  for (const std::string& cell : cells) {
    const std::string_view kind = cell.size() > longest_line ? " class=\"long\"" : "";
    row += fmt::format("<{0}{1}>{2}</{0}>", tag, kind, escaped(cell));
  }
  return row + "</tr>\n";
}

/// Figures on the same page must not share the names inside their SVG.
std::string with_own_names(std::string svg, std::size_t figure) {
  for (const std::string_view mark : {"id=\"", "xlink:href=\"#", "href='#", "id='", "url(#"}) {
    const std::string own = fmt::format("{}f{}_", mark, figure);
    for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + own.size())) {
      svg.replace(at, mark.size(), own);
    }
  }
  return svg;
}

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) {
    if (!row.empty() || &cell != &cells[0]) row += ',';
    if (cell.find_first_of(",\"\n") == std::string::npos) {
      row += cell;
      continue;
    }
    row += '"';
    for (const char c : cell) row += c == '"' ? std::string("\"\"") : std::string(1, c);
    row += '"';
  }
  return row + '\n';
}

/// The number of UTF-8 characters, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string csv_of(const Table& table) {
  std::string text = csv_row(table.columns);
  for (const auto& row : table.rows) text += csv_row(row);
  return text;
}

std::string text_of(const Table& table) {
  std::vector<std::size_t> widths(table.columns.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width_of(row[k]));
  };
  measure(table.columns);
  for (const auto& row : table.rows) measure(row);
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string space(widths[k] - width_of(row[k]), ' ');
      line += k == 0 ? row[k] + space : "  " + space + row[k];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  add(table.columns);
  for (const auto& row : table.rows) add(row);
  return text;
}

void Page::heading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", escaped(text));
}

void Page::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escaped(text));
}

std::string_view word_of(const Verdict& verdict) {
  return verdict.holds ? "reproduced" : verdict.tie ? "a tie" : "not reproduced";
}

nlohmann::json json_of(const Verdict& verdict) {
  return {{"holds", verdict.holds},
          {"tie", !verdict.holds && verdict.tie},
          {"claim", verdict.claim},
          {"found", verdict.found}};
}

void Page::verdict(const Verdict& verdict) {
  verdicts_.push_back(verdict);
  body_ += fmt::format("<div class=\"verdict {}\"><b>{}</b>{}<br>{}</div>\n",
                       verdict.holds ? "holds"
                       : verdict.tie ? "tie"
                                     : "fails",
                       word_of(verdict), escaped(verdict.claim), escaped(verdict.found));
}

void Page::table(const Table& table) {
  body_ += "<div class=\"wide\"><table>\n";
  if (!table.caption.empty()) body_ += fmt::format("<caption>{}</caption>\n", escaped(table.caption));
  body_ += "<thead>" + row_of(table.columns, "th") + "</thead><tbody>\n";
  for (const auto& row : table.rows) body_ += row_of(row, "td");
  body_ += "</tbody></table></div>\n";
}

void Page::figure(const Figure& figure, std::string_view caption) {
  Figure drawn = figure;
  for (Series& series : drawn.series) {
    if (!series.look) series.look = looks_.try_emplace(series.title, looks_.size()).first->second;
  }
  body_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                       with_own_names(svg_of(drawn, caption), ++figures_), escaped(caption));
}

void Page::facts(const nlohmann::json& facts) {
  body_ += "<dl>\n";
  for (const auto& [name, value] : facts.items()) {
    body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name),
                         escaped(value.is_string() ? value.get<std::string>() : json_text(value)));
  }
  body_ += "</dl>\n";
}

std::string Page::html() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n{2}{3}</body></html>\n",
      escaped(title_), style,
      banner_.empty() ? "" : fmt::format("<p class=\"banner\">{}</p>\n", escaped(banner_)), body_);
}

}  // namespace askfew
