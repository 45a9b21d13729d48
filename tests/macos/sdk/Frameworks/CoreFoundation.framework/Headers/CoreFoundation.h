// Declares what our sources use of CoreFoundation. Only for scripts/dev/check_macos.
#pragma once

extern "C" {
using CFTypeRef = const void*;
using CFStringRef = const struct __CFString*;
using CFIndex = long;
using CFStringCompareFlags = unsigned long;
enum CFComparisonResult : CFIndex { kCFCompareLessThan = -1, kCFCompareEqualTo, kCFCompareGreaterThan };

void CFRelease(CFTypeRef object);
CFComparisonResult CFStringCompare(CFStringRef one, CFStringRef other, CFStringCompareFlags flags);
}

#define CFSTR(text) (reinterpret_cast<CFStringRef>(__builtin___CFStringMakeConstantString("" text "")))
