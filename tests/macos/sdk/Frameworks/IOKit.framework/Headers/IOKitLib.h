// Declares what our sources use of IOKit. Only for scripts/dev/check_macos.
#pragma once

#include <CoreFoundation/CoreFoundation.h>
#include <mach/mach.h>

using io_service_t = mach_port_t;
#define IO_OBJECT_NULL (static_cast<io_service_t>(0))

extern "C" {
CFMutableDictionaryRef IOServiceMatching(const char* name);
io_service_t IOServiceGetMatchingService(mach_port_t port, CFDictionaryRef matching);
CFTypeRef IORegistryEntryCreateCFProperty(io_service_t entry, CFStringRef key, CFAllocatorRef allocator,
                                          unsigned options);
kern_return_t IOObjectRelease(io_service_t object);
}
