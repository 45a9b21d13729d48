// The base of all classes that are used through a pointer or reference to a base class.
#pragma once

namespace mpsbench::base {

// Such an object is destroyed through its base class. It is never copied, because the copy would contain only
// the base part.
class Interface {
 public:
  Interface() = default;
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  virtual ~Interface() = default;
};

}  // namespace mpsbench::base
