#pragma once

#include <libpq-fe.h>

#include "askfew/system/loaded_library.h"

namespace askfew {

/// The functions of libpq that are used here.
struct Libpq {
  LoadedLibrary library{"libpq.so.5", "libpq5"};

  ASKFEW_LOADED_FUNCTION(PQclear);
  ASKFEW_LOADED_FUNCTION(PQcmdTuples);
  ASKFEW_LOADED_FUNCTION(PQconnectdbParams);
  ASKFEW_LOADED_FUNCTION(PQconninfoFree);
  ASKFEW_LOADED_FUNCTION(PQconninfoParse);
  ASKFEW_LOADED_FUNCTION(PQerrorMessage);
  ASKFEW_LOADED_FUNCTION(PQexec);
  ASKFEW_LOADED_FUNCTION(PQexecParams);
  ASKFEW_LOADED_FUNCTION(PQfinish);
  ASKFEW_LOADED_FUNCTION(PQfreemem);
  ASKFEW_LOADED_FUNCTION(PQgetisnull);
  ASKFEW_LOADED_FUNCTION(PQgetlength);
  ASKFEW_LOADED_FUNCTION(PQgetvalue);
  ASKFEW_LOADED_FUNCTION(PQntuples);
  ASKFEW_LOADED_FUNCTION(PQresultErrorField);
  ASKFEW_LOADED_FUNCTION(PQresultStatus);
  ASKFEW_LOADED_FUNCTION(PQsetNoticeProcessor);
  ASKFEW_LOADED_FUNCTION(PQstatus);
};

/// Loads libpq the first time. THROWS: FileError.
inline const Libpq& libpq() {
  static const Libpq functions;
  return functions;
}

}  // namespace askfew
