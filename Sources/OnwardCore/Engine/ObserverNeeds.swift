// SPDX-License-Identifier: MIT

/// What a commit observer is given besides the entry; each costs something per commit.
public struct ObserverNeeds: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// A set by its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The state before the commit.
    ///
    /// While it is held, arrays and other whole-copied collections that the reducer changes are
    /// copied.
    public static let before = ObserverNeeds(rawValue: 1)
    /// The state after the commit.
    public static let after = ObserverNeeds(rawValue: 2)
    /// The wall-clock time, about 40 ns.
    public static let time = ObserverNeeds(rawValue: 4)
    /// How long the reducers took, about 80 ns.
    public static let duration = ObserverNeeds(rawValue: 8)
}
