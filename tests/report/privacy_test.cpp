#include "report/host/privacy.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

const std::string kRootsHome = "/root";  // root's home on any Unix

TEST(Privacy, HomeFoldersBecomeATilde) {
  EXPECT_EQ(hide_home("/data/people/alice/x.json", "/data/people/alice"), "~/x.json");
  EXPECT_EQ(hide_home("--export-json=/home/bob/r.json", "/home/alice"), "--export-json=~/r.json");
  EXPECT_EQ(hide_home("-m/home/bob/net.json", "/home/alice"), "-m~/net.json");
  EXPECT_EQ(hide_home("-qm/data/people/alice/net.json", "/data/people/alice"), "-qm~/net.json");
  EXPECT_EQ(hide_home("cannot open '/Users/Alice/m.json': no", ""), "cannot open '~/m.json': no");
  EXPECT_EQ(hide_home(kRootsHome + "/a:" + kRootsHome + "/b", kRootsHome), "~/a:~/b");
  EXPECT_EQ(hide_home(kRootsHome, ""), "~");
  EXPECT_EQ(hide_home("file:///home/alice/x", ""), "file://~/x");
}

TEST(Privacy, OtherPathsStay) {
  for (const std::string& text : {std::string("/homes/x"), kRootsHome + "kit", "/mnt" + kRootsHome + "/x",
                                  std::string("/data/people/alice2/x"), std::string("/usr/lib"), std::string("a/b"),
                                  std::string("-m./home/x"), std::string("a-m/home/x"), std::string()})
    EXPECT_EQ(hide_home(text, "/data/people/alice"), text);
}

TEST(Privacy, TildeIsExpandedOnlyInFront) {
  EXPECT_EQ(hide_home(expand_home("~/weights.safetensors")), "~/weights.safetensors");
  EXPECT_NE(expand_home("~/weights.safetensors").front(), '~');
  EXPECT_EQ(expand_home("a/~/b"), "a/~/b");
  EXPECT_EQ(expand_home("~alice/b"), "~alice/b");
}

using Environment = std::map<std::string, std::string>;

Environment allowed(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return allowed_environment(environment.data());
}

TEST(Privacy, EnvironmentIsAnAllowList) {
  EXPECT_EQ(allowed({"OMP_NUM_THREADS=4", "PYTORCH_CUDA_ALLOC_CONF=x=y", "KMP_SETTINGS=/home/alice/k",
                     "CUDA_VISIBLE_DEVICES=0", "AWS_SECRET_ACCESS_KEY=hush", "LD_PRELOAD_EXTRA=1", "NCCL_P2P_DISABLE=1",
                     "NCCL_COMM_ID=10.0.0.1:5000", "USER=alice"}),
            (Environment{{"OMP_NUM_THREADS", "4"},
                         {"PYTORCH_CUDA_ALLOC_CONF", "x=y"},
                         {"KMP_SETTINGS", "~/k"},
                         {"CUDA_VISIBLE_DEVICES", "0"},
                         {"NCCL_P2P_DISABLE", "1"}}));
}

TEST(Privacy, VariablesThatMayHoldSecretsNamesOrAddressesAreLeftOut) {
  EXPECT_EQ(allowed({"TORCH_TOKEN=hush", "TORCH_HUB_API_KEY=hush", "CUDA_PASSWORD=hush", "MKL_SECRET=hush",
                     "OMP_AUTH=hush", "NCCL_HOSTID=node7", "NCCL_SERVER=node7", "TORCHINDUCTOR_USER=alice",
                     "TORCH_HOME=/data/alice/torch", "TORCHINDUCTOR_CACHE_DIR=/tmp/torchinductor_alice",
                     "CUDA_CACHE_PATH=/data/alice", "CUDA_VERSION=12.6", "PYTORCH_REPORT=https://alice:hush@host/x",
                     "NCCL_PLACE=tcp://10.0.0.1:5000", "ONEDNN_MAIL_X=a", "KMP_OWNER=alice@host", "no equals sign"}),
            Environment{});
}

TEST(Privacy, PathsOfVariablesLoseTheirFolders) {
  EXPECT_EQ(allowed({"LD_PRELOAD=/data/alice/lib/libjemalloc.so.2:/usr/lib/x.so ../own/y.so",
                     "DYLD_INSERT_LIBRARIES=/Users/alice/lib.dylib",
                     "OMP_TOOL_LIBRARIES=/data/alice/libtool.so:/home/bob/t.so",
                     "CUDA_INJECTION64_PATH=/opt/alice/nsys/libToolsInjection64.so",
                     "CUDA_VISIBLE_DEVICES=MIG-GPU-1/1/0", "OMP_PLACES={0:4},{4:4}"}),
            (Environment{{"LD_PRELOAD", "libjemalloc.so.2:x.so y.so"},
                         {"DYLD_INSERT_LIBRARIES", "lib.dylib"},
                         {"OMP_TOOL_LIBRARIES", "libtool.so:~/t.so"},
                         {"CUDA_INJECTION64_PATH", "libToolsInjection64.so"},
                         {"CUDA_VISIBLE_DEVICES", "MIG-GPU-1/1/0"},
                         {"OMP_PLACES", "{0:4},{4:4}"}}));
}

}  // namespace
}  // namespace mpsbench::report
