#include "askfew/postgres/postgres_ledger.h"

#include <utility>

#include "askfew/core/errors.h"
#include "askfew/postgres/postgres_collection.h"
#include "askfew/postgres/postgres_opener.h"

namespace askfew {

LedgerPlace ledger_at(const std::string& name) {
  if (!is_postgres_url(name)) return LedgerPlace(name);
  PostgresUrl url = parse_postgres_url(name);
  const std::string shown = url.shown;
  const std::string ledger = url.ledger;
  auto session = std::make_shared<PostgresSession>(std::move(url));
  return {shown, std::make_shared<PostgresOpener>(shown, ledger, std::move(session))};
}

std::unique_ptr<LedgerCollection> ledgers_at(const std::string& address) {
  if (!is_postgres_url(address))
    throw ConfigError("the ledgers are in no database: expected postgresql://USER@HOST/DATABASE");
  return std::make_unique<PostgresCollection>(parse_postgres_url(address));
}

}  // namespace askfew
