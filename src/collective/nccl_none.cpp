#include "base/error.hpp"
#include "collective/group.hpp"

namespace mpsbench::collective {

std::shared_ptr<c10d::Backend> open_nccl(const c10::intrusive_ptr<c10d::Store>& /*store*/, int /*rank*/, int /*ranks*/,
                                         const c10::Device& /*device*/) {
  throw base::Error(base::ErrorKind::no_device,
                    "this build of mpsbench-worker has no NCCL, so it uses one GPU only; build it with a LibTorch "
                    "for CUDA and NCCL's header, which the Python package nvidia-nccl has");
}

}  // namespace mpsbench::collective
