// Declarations for scripts/check_macos only: what our sources use of IOKit, no more.
#pragma once

#include <CoreFoundation/CoreFoundation.h>

extern "C" {
CFTypeRef IOPSCopyPowerSourcesInfo();
CFStringRef IOPSGetProvidingPowerSourceType(CFTypeRef sources);
}
