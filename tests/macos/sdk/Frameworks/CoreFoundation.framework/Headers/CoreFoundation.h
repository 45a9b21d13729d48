// Declarations for scripts/check_macos only: what our sources use of CoreFoundation, no more.
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
