#include <fmt/core.h>

#include "papers/moroshko_2014/paper.h"

namespace askfew::moroshko_2014 {
namespace {

using Texts = std::vector<std::string>;

/// The values of b, c and a that are tried. They scale with |x|^2, which is about three times as large for a
/// digit as for a Gaussian instance.
struct Grid {
  std::vector<double> b;
  std::vector<double> c;
  std::vector<double> a;  ///< up to values at which the second-order Perceptron equals the Perceptron
};

Grid grid_of(Kind kind, bool quick) {
  if (kind == Kind::usps) {
    return quick ? Grid{{1e3}, {1e5}, {1e4}}
                 : Grid{{1e3, 1e4, 1e5}, {1e4, 1e5, 1e6, 1e7}, {1e2, 1e3, 1e4, 1e5}};
  }
  return quick ? Grid{{1}, {100, 300}, {10, 1e3}}
               : Grid{{1, 10, 100}, {30, 100, 300, 1e3, 1e4}, {1, 10, 100, 1e3, 1e4}};
}

Texts lasecs(const Grid& grid) {
  Texts all;
  for (const double b : grid.b) {
    for (const double c : grid.c) {
      if (b < c) all.push_back(fmt::format("lasec:b={},c={}", b, c));
    }
  }
  return all;
}

Texts second_orders(const Grid& grid) {
  Texts all;
  for (const double a : grid.a) all.push_back(fmt::format("second-order:a={}", a));
  return all;
}

}  // namespace

std::vector<Contestant> supervised(Kind kind, bool quick) {
  const Grid grid = grid_of(kind, quick);
  const PaperSettings& settings = kind == Kind::usps ? on_usps : on_gaussian;
  std::vector<Contestant> all{{.name = "LASEC", .learners = lasecs(grid), .rule = "always"},
                              {.name = "SOP", .learners = second_orders(grid), .rule = "always"},
                              {.name = "Perceptron", .learners = {"perceptron"}, .rule = "always"},
                              {.name = "Shifting",
                               .learners = {fmt::format("shifting:lambda={}", settings.lambda)},
                               .rule = "always"},
                              {.name = "Modified", .learners = {"reflect:step=1"}, .rule = "always"},
                              {.name = "Randomized Budget",
                               .learners = {fmt::format("budget:B={}", settings.budget)},
                               .rule = "always"}};
  all.push_back({.name = "Shifting, tuned",
                 .learners = {"shifting:lambda=0.0001", "shifting:lambda=0.01", "shifting:lambda=0.1",
                              "shifting:lambda=1", "shifting:lambda=10", "shifting:lambda=100"},
                 .rule = "always",
                 .in_paper = false});
  all.push_back({.name = "Randomized Budget, tuned",
                 .learners = {"budget:B=50", "budget:B=100", "budget:B=200", "budget:B=500", "budget:B=1000",
                              "budget:B=10000"},
                 .rule = "always",
                 .in_paper = false});
  return all;
}

std::vector<Contestant> selective(Kind kind, bool quick) {
  const Grid grid = grid_of(kind, quick);
  return {{.name = "LASEC-SS", .learners = lasecs(grid), .rule = "margin:b=0.03"},
          {.name = "SOP-SS", .learners = second_orders(grid), .rule = "margin:b=0.03"},
          {.name = "Perceptron-SS", .learners = {"perceptron"}, .rule = "margin:b=10"},
          {.name = "BBQ", .learners = {"rls:a=1"}, .rule = "variance:kappa=0.3"},
          {.name = "BBQ-I", .learners = {"second-order:a=1"}, .rule = "variance:kappa=0.3"},
          {.name = "BBQ-I, a tuned",
           .learners = second_orders(grid),
           .rule = "variance:kappa=0.3",
           .in_paper = false}};
}

}  // namespace askfew::moroshko_2014
