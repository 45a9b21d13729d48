// Base of the classes that are used through a pointer or reference to them.
#pragma once

namespace mpsbench::base {

// Destroyed through its base and never copied, since a copy would be cut to the base.
class Interface {
 public:
  Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  virtual ~Interface() = default;
};

}  // namespace mpsbench::base
