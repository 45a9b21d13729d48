// Declares what our sources use of IOKit. Only for scripts/dev/check_macos.
#pragma once

#include <CoreFoundation/CoreFoundation.h>

extern "C" {
CFTypeRef IOPSCopyPowerSourcesInfo();
CFStringRef IOPSGetProvidingPowerSourceType(CFTypeRef sources);
}
