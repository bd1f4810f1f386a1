#include "askfew/streams/formats/synthetic/synthetic.h"

#include <fmt/core.h>

#include "askfew/streams/formats/synthetic/synthetic_stream.h"
#include "askfew/streams/formats/synthetic/table.h"

namespace askfew {
namespace {

constexpr std::string_view prefix = "synthetic:";

template <class... Gs>
std::vector<SyntheticEntry> entries_of(const std::tuple<Gs...>* /*generators*/) {
  return {{Gs::info, param_entries<typename Gs::Params>()}...};
}

template <class... Gs>
std::unique_ptr<Generator> make_of(const AlgorithmSpec& spec, const std::tuple<Gs...>* /*generators*/) {
  std::unique_ptr<Generator> made;
  const auto make = [&]<class G>() {
    if (G::info.name == spec.name) made = std::make_unique<G>(params_of<typename G::Params>(spec));
  };
  (make.template operator()<Gs>(), ...);
  return made;
}

AlgorithmSpec parse_synthetic(std::string_view text) {
  return parse_spec(text.substr(prefix.size()), synthetic_entries(), "synthetic stream");
}

}  // namespace

std::vector<SyntheticEntry> synthetic_entries() {
  return entries_of(static_cast<const Generators*>(nullptr));
}

bool is_synthetic(std::string_view text) {
  return text.starts_with(prefix);
}

std::unique_ptr<Generator> make_generator(std::string_view text) {
  return make_of(parse_synthetic(text), static_cast<const Generators*>(nullptr));
}

std::string full_synthetic(std::string_view text) {
  const AlgorithmSpec spec = parse_synthetic(text);
  const std::vector<SyntheticEntry> entries = synthetic_entries();
  return std::string(prefix) + text_of(spec, entry_named(entries, spec.name, "synthetic stream").params);
}

std::unique_ptr<Stream> open_synthetic(const std::string& text, const StreamOptions& options) {
  auto generator = make_generator(text);
  if (options.dimension != 0 && generator->dimension() > options.dimension) {
    throw ConfigError(fmt::format("{}: instances of {} features, more than the dimension {}", text,
                                  generator->dimension(), options.dimension));
  }
  return std::make_unique<SyntheticStream>(full_synthetic(text), std::move(generator), options);
}

}  // namespace askfew
