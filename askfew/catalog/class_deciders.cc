#include "askfew/catalog/pairs.h"

namespace askfew {

std::unique_ptr<AnyDecisions> make_decisions(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness) {
  const AlgorithmSpec& rule = config.rule;
  std::unique_ptr<AnyDecisions> decisions;
  for_each_type(Rules{}, [&]<class R>() {
    if (R::info.name != rule.name) return;
    if constexpr (R::needs_spread) {
      throw ConfigError(
          fmt::format("rule {} needs a spread, and the margins of several classes have none", R::info.name));
    } else {
      decisions = std::make_unique<ErasedDecisions<R>>(AskDecider<R>(
          R(params_of<typename R::Params>(rule), setting), setting.key, exactness, config.spending));
    }
  });
  if (decisions == nullptr) throw ConfigError(fmt::format("no rule {}", rule.name));
  return decisions;
}

}  // namespace askfew
