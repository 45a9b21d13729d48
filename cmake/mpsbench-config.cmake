# For find_package(mpsbench) in other projects; cmake/library.cmake installs it.
include(CMakeFindDependencyMacro)
find_dependency(nlohmann_json)
find_dependency(spdlog)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/mpsbench-targets.cmake)
