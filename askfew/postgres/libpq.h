#pragma once

#include <libpq-fe.h>

#include "askfew/system/loaded_library.h"

namespace askfew {

/// The functions of libpq that are used here.
struct Libpq {
  LoadedLibrary library{"libpq.so.5", "libpq5"};

#define ASKFEW_FUNCTION(name) decltype(::name)* name = library.function<decltype(::name)>(#name)
  ASKFEW_FUNCTION(PQclear);
  ASKFEW_FUNCTION(PQcmdTuples);
  ASKFEW_FUNCTION(PQconnectdbParams);
  ASKFEW_FUNCTION(PQconninfoFree);
  ASKFEW_FUNCTION(PQconninfoParse);
  ASKFEW_FUNCTION(PQerrorMessage);
  ASKFEW_FUNCTION(PQexec);
  ASKFEW_FUNCTION(PQexecParams);
  ASKFEW_FUNCTION(PQfinish);
  ASKFEW_FUNCTION(PQfreemem);
  ASKFEW_FUNCTION(PQgetisnull);
  ASKFEW_FUNCTION(PQgetlength);
  ASKFEW_FUNCTION(PQgetvalue);
  ASKFEW_FUNCTION(PQntuples);
  ASKFEW_FUNCTION(PQresultErrorField);
  ASKFEW_FUNCTION(PQresultStatus);
  ASKFEW_FUNCTION(PQsetNoticeProcessor);
  ASKFEW_FUNCTION(PQstatus);
#undef ASKFEW_FUNCTION
};

/// Loads libpq the first time. THROWS: FileError.
inline const Libpq& libpq() {
  static const Libpq functions;
  return functions;
}

}  // namespace askfew
