# Some sources of a folder are compiled together as one: their headers take most of the time. Names that only one source
# needs must therefore differ within a folder, also from the functions of the library that its sources call: a local
# function hides them.
option(ASKFEW_UNITY "Compile sources of the same folder together" ON)

# Sources of `target`, at most `most` of the same folder at once. A source that Highway compiles again for each
# instruction set is compiled alone, and so is a source with compile options of its own (CMake sees to that).
function(askfew_compile_together target most)
  if(NOT ASKFEW_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} highway REGEX "hwy/foreach_target.h" LIMIT_COUNT 1)
    if(highway)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${target}_${folder}" group)
    if(NOT DEFINED ${group})
      set(${group} 0)
    endif()
    math(EXPR batch "${${group}} / ${most}")
    math(EXPR ${group} "${${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
