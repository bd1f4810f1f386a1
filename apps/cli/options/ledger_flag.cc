#include "apps/cli/options/ledger_flag.h"

#include "askfew/postgres/postgres_ledger.h"

#include "apps/cli/options/flags.h"

namespace askfew::cli {

Option* add_ledger_place(Command& command, const std::string& names, LedgerPlace& place,
                         const std::string& help) {
  return command
      .add_option_function(
          names, [&place](const std::string& text) { place = ledger_at(text); }, help)
      ->check(a_name);
}

}  // namespace askfew::cli
