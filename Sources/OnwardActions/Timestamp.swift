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

/// A moment in wall-clock time.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since 1970-01-01 00:00:00 UTC, leap seconds not counted (as in POSIX).
    public let nanosecondsSince1970: Int64

    /// Makes a moment from its distance to 1970 in nanoseconds.
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

    /// How much later the left moment is than the right one; negative if it is earlier.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .nanoseconds(left.nanosecondsSince1970) - .nanoseconds(right.nanosecondsSince1970)
    }

    /// The moment that is a duration later, to the nanosecond, or the last or first possible moment
    /// if that is out of range.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        // More than lies between the first moment and the last, and little enough to be counted in
        // seconds.
        let longest = Duration.seconds(20_000_000_000)
        let way = min(max(duration, .zero - longest), longest)
        let sum = .nanoseconds(moment.nanosecondsSince1970) + way
        return Timestamp(nanosecondsSince1970: sum.wholeNanoseconds)
    }

    /// The moment that is a duration earlier, with the same limits as the sum.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment + (.zero - duration)
    }

    /// Whether the left moment is before the right one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
}

extension Duration {
    /// Its whole nanoseconds; the most or the fewest possible if it is longer.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) =
            min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
