// SPDX-License-Identifier: MIT

/// How much of a session is kept.
public struct SessionLimits: Sendable, Hashable {
    /// The minimum time that a recording reaches back, unless ``bytes`` limits it; up to a quarter
    /// more is kept.
    public var time: Duration
    /// The maximum number of bytes on disk, besides the newest state and what came after it.
    public var bytes: Int

    /// Creates limits.
    public init(time: Duration, bytes: Int = 16 << 20) {
        self.time = time
        self.bytes = bytes
    }

    /// The last minutes, in up to 16 MiB.
    public static func minutes(_ count: Int) -> SessionLimits {
        SessionLimits(time: .seconds(count * 60))
    }

    /// The age after which a segment is followed by a new one, in nanoseconds.
    var segmentTime: Int64 { max(nanoseconds / 4, 1) }
    /// The time in nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, fraction) = time.components
        let (whole, isTooBig) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooBig
            ? .max : whole.addingReportingOverflow(fraction / 1_000_000_000).partialValue
    }
    /// The bytes after which a segment is followed by a new one.
    var segmentBytes: Int { max(bytes / 4, 4_096) }
}

/// Limits of a recording, and what it takes from its surroundings.
public struct SessionOptions: Sendable {
    /// The name and the version of the app, for reports.
    public var app = ""
    /// A text that changes with the behaviour of reducers; see `FeatureFingerprint`.
    public var revision = ""
    /// How long entries wait before they are written.
    public var delay: Duration = .milliseconds(50)
    /// The maximum number of entries that wait to be written, where an installed state counts as
    /// 100.
    ///
    /// What comes beyond it until they are written has no entries: the recording continues with the
    /// state after it, and says how many are missing (``Report/gaps``).
    public var queueLimit = 16_384
    /// Whether to keep the payload, up to 1,000 bytes, of the action being reduced when the program
    /// dies.
    ///
    /// Each action is then encoded on the dispatching thread, before its reducers run.
    public var keepsFatalPayload = false
    /// The clock on which entries wait.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Called with what goes wrong, such as a full disk; the recording continues as soon as it can.
    public var failed: @Sendable (ReportError) -> Void = { _ in }

    /// Creates the standard options.
    public init() {}
}
