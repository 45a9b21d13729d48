// The JSON of WorkingThreads as the member of an object.
#pragma once

#include "schema/field_json.hpp"
#include "schema/working_threads.hpp"

namespace mpsbench::schema {

inline constexpr Field<WorkingThreads, std::int64_t, std::string> kWorkingThreadsFields[] = {
    {"count", &WorkingThreads::count, {"Number of threads that worked on an operation for all threads."}},
    {"cpus",
     &WorkingThreads::cpus,
     {"The CPUs that they may use: \"0-3,8\"; empty: the system does not say."}},
};

template <>
struct Json<WorkingThreads> : ObjectJson<WorkingThreads, kWorkingThreadsFields> {};

}  // namespace mpsbench::schema
