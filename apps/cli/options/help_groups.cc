#include "apps/cli/options/help_groups.h"

#include <array>
#include <string>
#include <vector>

namespace askfew::cli {
namespace {

struct HelpGroup {
  std::string_view heading;
  std::string_view names;  // separated by blanks
};

// The everyday options come first.
constexpr std::array shown{
    HelpGroup{"Labels", "--positive --negative --labels --topics --multiclass --seed-labels"},
    HelpGroup{"Spending", "--budget --ask --horizon --audit --aim"},
    HelpGroup{"Output", "--model --resume --json --html --trace --baseline --control --quiet"},
    HelpGroup{"Data", "--format --text-columns --label-column --id-column --unlabelled --on-error --order"},
    HelpGroup{"Learning",
              "--sampler --learner --rule --update --seed --normalize --tf-idf --bias --dictionary --ngrams"},
    HelpGroup{"Kafka", "--kafka --instances --answers --group --kafka-property --label-names"},
};

constexpr std::array hidden{
    HelpGroup{"More about data",
              "--time-column --numeric-columns --categorical-columns --ignore-columns --header "
              "--delimiter --dimension --threads --max-line --max-memory --cache"},
    HelpGroup{"Rare formats", "--index-base --label-field --split --with-topics --idx-labels"},
    HelpGroup{"More about text", "--fold --stop-words --stem --char-ngrams --tf --bits --most-words"},
    HelpGroup{"More about output", "--save-every --final --delta"},
};

}  // namespace

void group_help(Command& command) {
  for (const HelpGroup& group : shown) command.group(group.names, std::string(group.heading));
  for (const HelpGroup& group : hidden) command.hide(group.names, std::string(group.heading));
  std::vector<std::string> headings;
  for (const HelpGroup& group : shown) headings.emplace_back(group.heading);
  command.order_groups(std::move(headings));
}

}  // namespace askfew::cli
