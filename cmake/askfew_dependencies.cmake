# The libraries that askfew::askfew needs in addition to those of the samplers. The build and the installed package both
# read this file.
find_package(FastFloat REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(tl-expected REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
# libstemmer has neither a pkg-config file nor a CMake package.
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
mark_as_advanced(STEMMER_INCLUDE_DIR STEMMER_LIBRARY)
if(NOT TARGET askfew::stemmer)
  add_library(askfew::stemmer UNKNOWN IMPORTED)
  set_target_properties(askfew::stemmer PROPERTIES
    IMPORTED_LOCATION "${STEMMER_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${STEMMER_INCLUDE_DIR}")
endif()
