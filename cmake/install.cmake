# Installs the library for other projects. Three archives are made from the objects of the folders: the samplers alone,
# which link no parser and no decompression library, ledgers in PostgreSQL, which load libpq, and the rest.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

function(askfew_archive name)
  cmake_parse_arguments(ARG "" "EXPORT_NAME" "FOLDERS;LINKS" ${ARGN})
  set(objects "")
  foreach(folder ${ARG_FOLDERS})
    get_target_property(type askfew_${folder} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND objects $<TARGET_OBJECTS:askfew_${folder}>)
    endif()
  endforeach()
  add_library(${name} STATIC ${objects})
  add_library(askfew::${ARG_EXPORT_NAME} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${ARG_EXPORT_NAME} LINKER_LANGUAGE CXX)
  target_include_directories(${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} INTERFACE ${ARG_LINKS})
  target_compile_features(${name} INTERFACE cxx_std_20)
  install(TARGETS ${name} EXPORT ${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${name} NAMESPACE askfew:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/askfew)
endfunction()

askfew_archive(askfew_samplers EXPORT_NAME samplers
  FOLDERS ${askfew_sampler_folders}
  LINKS fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
# A sampler that another project compiles gives the same bits.
target_compile_options(askfew_samplers INTERFACE -ffp-contract=off)
askfew_archive(askfew_library EXPORT_NAME askfew
  FOLDERS ${askfew_other_folders}
  LINKS askfew_samplers FastFloat::fast_float nlohmann_json::nlohmann_json tl::expected askfew::stemmer
        PkgConfig::UTF8PROC PkgConfig::XXHASH PkgConfig::ZSTD ZLIB::ZLIB simdjson::simdjson)
set_target_properties(askfew_library PROPERTIES OUTPUT_NAME askfew)
askfew_archive(askfew_postgres_library EXPORT_NAME postgres FOLDERS postgres LINKS askfew_library)

# Headers that include simdjson, Highway or libpq are private to the sources of the library and are not installed.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/askfew/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/askfew
        FILES_MATCHING PATTERN "*.h" PATTERN "json_fields.h" EXCLUDE PATTERN "json_values.h" EXCLUDE
        PATTERN "instruction_sets.h" EXCLUDE PATTERN "libpq.h" EXCLUDE PATTERN "*-inl.h" EXCLUDE)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/askfew)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/askfewConfig.cmake.in ${PROJECT_BINARY_DIR}/askfewConfig.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may break programs.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/askfewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/askfewConfig.cmake ${PROJECT_BINARY_DIR}/askfewConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/samplers_dependencies.cmake ${PROJECT_SOURCE_DIR}/cmake/askfew_dependencies.cmake
        DESTINATION ${package})

# The pkg-config files use paths relative to their own folder, so that the installed tree can be moved.
file(RELATIVE_PATH ASKFEW_PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(file askfew.pc askfew-samplers.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${file}.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
