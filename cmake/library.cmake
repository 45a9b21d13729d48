# What `cmake --install` gives to other CMake projects (docs/library.md): the headers report.hpp and timing.hpp of
# src/library with all that they include, and two static libraries. All of it is the component Development. A Python
# wheel has none of it.
if(SKBUILD)
  return()
endif()

# Installs HEADER of src/ and the headers that it includes. In the copies, includes name the folder mpsbench, so that
# they never mean a header of the other project.
function(mpsbench_install_header header)
  get_property(installed GLOBAL PROPERTY mpsbench_installed_headers)
  if(header IN_LIST installed)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY mpsbench_installed_headers ${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${header})
  file(READ ${PROJECT_SOURCE_DIR}/src/${header} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" include "${include}")
    mpsbench_install_header(${include})
  endforeach()
  string(REGEX REPLACE "#include \"(library/)?" "#include \"mpsbench/" text "${text}")
  string(REGEX REPLACE "^library/" "" header ${header})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/mpsbench/${header} CONTENT "${text}" @ONLY)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_BINARY_DIR}/include/mpsbench/${header}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mpsbench/${folder} COMPONENT Development)
endfunction()
mpsbench_install_header(library/report.hpp)
mpsbench_install_header(library/timing.hpp)

# Makes the target mpsbench::NAME of an installed tree: a static library of LAYER and all layers that it links, except
# WITHOUT, which are in a library that it links.
function(mpsbench_install_library name layer)
  cmake_parse_arguments(LIBRARY "" "" "WITHOUT;LINKS" ${ARGN})
  set(layers)
  set(packages)
  set(waiting ${layer})
  while(waiting)
    list(POP_FRONT waiting one)
    if(NOT one IN_LIST layers)
      list(APPEND layers ${one})
      get_target_property(links mpsbench_${one} INTERFACE_LINK_LIBRARIES)
      list(APPEND packages ${links})
      list(FILTER links INCLUDE REGEX "^mpsbench::")
      list(TRANSFORM links REPLACE "^mpsbench::" "" OUTPUT_VARIABLE links)
      list(APPEND waiting ${links})
    endif()
  endwhile()
  list(FILTER packages EXCLUDE REGEX "mpsbench")
  list(REMOVE_DUPLICATES packages)
  list(REMOVE_ITEM packages Boost::headers) # no installed header includes them
  list(REMOVE_ITEM layers ${LIBRARY_WITHOUT})
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:mpsbench_\\1>")
  add_library(mpsbench_installed_${name} STATIC ${layers})
  set_target_properties(mpsbench_installed_${name} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME mpsbench_${name}
                                                              EXPORT_NAME ${name})
  target_compile_features(mpsbench_installed_${name} INTERFACE cxx_std_20)
  target_include_directories(mpsbench_installed_${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(
    mpsbench_installed_${name}
    PRIVATE ${packages}
    PUBLIC nlohmann_json::nlohmann_json ${LIBRARY_LINKS})
  install(TARGETS mpsbench_installed_${name} EXPORT mpsbench DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
endfunction()
mpsbench_install_library(report schema)
mpsbench_install_library(timing library WITHOUT base schema LINKS mpsbench_installed_report)

set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/mpsbench)
install(EXPORT mpsbench NAMESPACE mpsbench:: FILE mpsbench-targets.cmake DESTINATION ${folder} COMPONENT Development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mpsbench-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/mpsbench-config.cmake ${PROJECT_BINARY_DIR}/mpsbench-config-version.cmake
        DESTINATION ${folder} COMPONENT Development)
