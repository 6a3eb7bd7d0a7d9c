// SPDX-License-Identifier: MIT

/// Says that something has come, once until it is taken.
struct Announcement: Sendable {
    private var isMade = false
    private var announce: (@Sendable () -> Void)?

    /// Has a closure called with the next thing that comes.
    mutating func whenMade(_ announce: @escaping @Sendable () -> Void) { self.announce = announce }

    /// Something has come: what to call for it, outside any lock; nil if that was done before.
    mutating func make() -> (@Sendable () -> Void)? {
        if isMade { return nil }
        isMade = true
        return announce
    }

    /// Everything is taken.
    mutating func clear() { isMade = false }
}
