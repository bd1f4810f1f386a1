// Figures and pages.

#include <gtest/gtest.h>

#include "askfew/reports/page.h"

namespace askfew {
namespace {

Figure simple() {
  return {.title = "it's <one> & only",
          .x = {.title = "labels"},
          .y = {.title = "F"},
          .series = {{.title = "a 'quoted' name",
                      .x = {1, 2, 3},
                      .y = {0.1, 0.2, 0.15},
                      .low = {0, 0.1, 0.1},
                      .high = {0.2, 0.3, 0.2}},
                     {.title = "bars", .x = {1, 2, 3}, .y = {0.3, 0.1, 0.2}, .style = Series::Style::bars}}};
}

TEST(Figure, is_an_svg_with_its_titles) {
  const std::string svg = svg_of(simple());
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("a 'quoted' name"), std::string::npos);
  EXPECT_NE(svg.find("&lt;one> &amp; only"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(Figure, tells_screen_readers_what_it_shows) {
  const std::string svg = svg_of(simple());
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
  EXPECT_NE(svg.find("<title>it's &lt;one> &amp; only</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>F against labels. a 'quoted' name: from 0.1 at 1 to 0.15 at 3."),
            std::string::npos);
}

TEST(Figure, a_logarithmic_axis_fits_its_data) {
  Figure figure = simple();
  figure.x.logarithmic = true;
  figure.series = {{.title = "a", .x = {2, 5, 20}, .y = {1, 2, 3}}};
  const std::string svg = svg_of(figure);
  for (const std::string_view tic : {">2<", ">5<", ">10<", ">20<"}) {
    EXPECT_NE(svg.find(tic), std::string::npos) << tic;
  }
  EXPECT_EQ(svg.find(">100<"), std::string::npos);
}

TEST(Figure, a_screen_reader_says_the_caption_of_a_figure_without_a_title) {
  Figure figure = simple();
  figure.title.clear();
  EXPECT_NE(svg_of(figure, "what it shows").find("<title>what it shows</title>"), std::string::npos);
  EXPECT_NE(svg_of(figure).find("<title>F against labels</title>"), std::string::npos);
}

TEST(Figure, the_same_figure_gives_the_same_text) {
  EXPECT_EQ(svg_of(simple()), svg_of(simple()));
}

TEST(Table, can_be_written_as_csv_and_as_aligned_columns) {
  const Table table{
      .caption = "", .columns = {"name", "value"}, .rows = {{"a,b", "1"}, {"say \"x\"", "22"}, {"ä", ""}}};
  EXPECT_EQ(csv_of(table), "name,value\n\"a,b\",1\n\"say \"\"x\"\"\",22\nä,\n");
  EXPECT_EQ(text_of(table), "name     value\na,b          1\nsay \"x\"     22\nä\n");
}

TEST(Page, a_name_has_the_same_colour_in_all_figures) {
  Figure second = simple();
  second.series.erase(second.series.begin());
  Page page("two figures");
  page.figure(simple(), "both");
  page.figure(second, "only bars");
  const std::string html = page.html();
  const std::size_t start = html.find("only bars");
  const std::string of_second = html.substr(html.find("both</figcaption>"), start);
  EXPECT_NE(of_second.find("238, 102, 119"), std::string::npos) << "the second colour";
  EXPECT_EQ(of_second.find(" 68, 119, 170"), std::string::npos) << "the first colour";
}

TEST(Page, a_banner_stands_below_the_title) {
  Page page("title");
  EXPECT_EQ(page.html().find("class=\"banner\""), std::string::npos);
  page.banner("a quick run");
  EXPECT_NE(page.html().find("</h1>\n<p class=\"banner\">a quick run</p>"), std::string::npos);
}

TEST(Page, needs_no_other_file_and_escapes_its_texts) {
  Page page("A <title>");
  page.paragraph("5 < 6 & 7");
  page.verdict({.holds = false, .claim = "x is 1", .found = "it is 2"});
  page.table({.caption = "t", .columns = {"c"}, .rows = {{"<b>"}}});
  page.figure(simple(), "first");
  page.figure(simple(), "second");
  const std::string html = page.html();
  for (const std::string_view wanted :
       {"A &lt;title&gt;", "5 &lt; 6 &amp; 7", "not reproduced", "&lt;b&gt;"}) {
    EXPECT_NE(html.find(wanted), std::string::npos) << wanted;
  }
  for (const std::string_view outside : {"src=\"http", "href=\"http", "@import", "<script src"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  EXPECT_EQ(page.verdicts().size(), 1);
  // Every figure has its own names.
  EXPECT_EQ(html.find("id=\"gnuplot_plot_1\""), std::string::npos);
}

}  // namespace
}  // namespace askfew
