// SPDX-License-Identifier: MIT

/// How far the search for a shortest test is.
public enum ShortestTest: Sendable, Hashable {
    /// Nobody has asked for it, or nobody waits for it any more.
    case none
    /// It begins once others have ended.
    case waiting
    /// It goes on: the number of entries in the best list so far, and of lists that were run.
    case searching(entries: Int, runs: Int)
    /// It has ended.
    case found(FoundTest)
    /// It has ended without a test.
    case failed(InspectorError)
}

/// A test of few entries that lead to a value.
public struct FoundTest: Sendable, Hashable, Codable {
    /// The contents of a source file.
    public var source: String
    /// Whether the search came to its end; otherwise its time was over, and some entries may not be
    /// needed.
    public var isShortest: Bool

    /// Creates a test.
    public init(source: String, isShortest: Bool) {
        (self.source, self.isShortest) = (source, isShortest)
    }
}
