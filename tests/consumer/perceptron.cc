// Runs a perceptron with a query rule twice, once compiled here and once from the catalog; both give the same
// bits.

#include "askfew/learners/perceptron.h"

#include <array>
#include <cstdio>

#include "askfew/catalog/catalog.h"
#include "askfew/protocol/sampler.h"
#include "askfew/rules/margin.h"

int main() {
  const askfew::Setting setting{.key = {.seed = 7}};
  askfew::Sampler here(askfew::Perceptron({}, setting), askfew::Margin({.b = 0.1}, setting),
                       askfew::UpdatePolicy::mistake, setting.key);
  const auto named = askfew::make_sampler(askfew::parse_preset("sel-p:b=0.1"), setting);
  int asked = 0;
  for (int round = 1; round <= 1000; ++round) {
    const std::array values{(round * 7919 % 101 - 50) / 50.0, (round * 104729 % 103 - 51) / 50.0};
    const auto x = askfew::FeatureView::dense(values);
    const auto y = values[0] + 2 * values[1] > 0 ? askfew::Label::positive : askfew::Label::negative;
    const askfew::Query query = here.ask(x);
    const askfew::Query same = named->ask(x);
    if (query.score.margin != same.score.margin || query.asked != same.asked) {
      std::printf("round %d differs\n", round);
      return 1;
    }
    if (!query.asked) continue;
    ++asked;
    here.tell(x, y, query);
    named->tell(x, y, same);
  }
  std::printf("asked %d of 1000\n", asked);
}
