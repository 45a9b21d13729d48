// What every program of mpsbench does first.
#pragma once

namespace mpsbench::base {

// Opens descriptors 0 to 2 on /dev/null where they are closed. Otherwise a file of ours, such as the journal,
// would get such a number, and what is meant for stdout or stderr. Makes writing beyond `ulimit -f` an error,
// like a full disk, instead of a signal that ends the process.
void start_process();

}  // namespace mpsbench::base
