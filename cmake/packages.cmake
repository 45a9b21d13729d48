# The packages for find_package. The set-up scripts use the same list. LibTorch is found separately.
set(mpsbench_packages "nlohmann_json 3.11" "CLI11 2.1" "fmt" "spdlog 1.9" "Boost 1.74 CONFIG"
                      "benchmark 1.7")
# Optional: without it, src/input/text has no tokenizer.
set(mpsbench_optional_packages "utf8proc 2.8")
set(mpsbench_test_packages "GTest 1.11")
