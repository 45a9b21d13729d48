// Declares what our sources use of CoreFoundation. Only for scripts/dev/check_macos.
#pragma once

extern "C" {
using CFTypeRef = const void*;
using CFStringRef = const struct __CFString*;
using CFNumberRef = const struct __CFNumber*;
using CFAllocatorRef = const struct __CFAllocator*;
using CFDictionaryRef = const struct __CFDictionary*;
using CFMutableDictionaryRef = struct __CFDictionary*;
using CFTypeID = unsigned long;
using Boolean = unsigned char;
using CFIndex = long;
using CFStringCompareFlags = unsigned long;
enum CFComparisonResult : CFIndex { kCFCompareLessThan = -1, kCFCompareEqualTo, kCFCompareGreaterThan };

enum CFNumberType : CFIndex { kCFNumberSInt64Type = 4 };

CFTypeID CFGetTypeID(CFTypeRef object);
CFTypeID CFNumberGetTypeID();
Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void* value);
void CFRelease(CFTypeRef object);
CFComparisonResult CFStringCompare(CFStringRef one, CFStringRef other, CFStringCompareFlags flags);
}

#define CFSTR(text) (reinterpret_cast<CFStringRef>(__builtin___CFStringMakeConstantString("" text "")))
