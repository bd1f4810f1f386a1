# The library that askfew::postgres, ledgers in PostgreSQL, needs in addition to those of askfew::askfew.
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
