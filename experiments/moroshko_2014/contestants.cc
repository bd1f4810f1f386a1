#include <fmt/format.h>

#include "experiments/moroshko_2014/paper.h"

namespace askfew::moroshko_2014 {
namespace {

using Texts = std::vector<std::string>;

Texts lasecs(bool quick) {
  if (quick) return {"lasec:b=1,c=100", "lasec:b=10,c=1000"};
  Texts all;
  for (const double b : {1, 10, 100}) {
    for (const double c : {30, 100, 300, 1000, 10000}) {
      if (b < c) all.push_back(fmt::format("lasec:b={},c={}", b, c));
    }
  }
  return all;
}

/// Up to values at which the learner is the Perceptron.
Texts second_orders(bool quick) {
  if (quick) return {"second-order:a=10", "second-order:a=1000"};
  return {"second-order:a=1", "second-order:a=10", "second-order:a=100", "second-order:a=1000",
          "second-order:a=10000"};
}

}  // namespace

std::vector<Contestant> supervised(const PaperSettings& settings, bool quick) {
  std::vector<Contestant> all{{.name = "LASEC", .learners = lasecs(quick), .rule = "always"},
                              {.name = "SOP", .learners = second_orders(quick), .rule = "always"},
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

std::vector<Contestant> selective(bool quick) {
  return {{.name = "LASEC-SS", .learners = lasecs(quick), .rule = "margin:b=0.03"},
          {.name = "SOP-SS", .learners = second_orders(quick), .rule = "margin:b=0.03"},
          {.name = "Perceptron-SS", .learners = {"perceptron"}, .rule = "margin:b=10"},
          {.name = "BBQ", .learners = {"rls:a=1"}, .rule = "variance:kappa=0.3"},
          {.name = "BBQ-I", .learners = {"second-order:a=1"}, .rule = "variance:kappa=0.3"},
          {.name = "BBQ-I, a tuned",
           .learners = second_orders(quick),
           .rule = "variance:kappa=0.3",
           .in_paper = false}};
}

}  // namespace askfew::moroshko_2014
