// SPDX-License-Identifier: MIT

/// Who is connected, as often as that may be.
struct Presence {
    private var counts: [String: Int] = [:]
    private let change: @Sendable (String, Bool) -> Void

    /// - Parameter change: Called when somebody comes, and when the last connection of somebody ends.
    init(_ change: @escaping @Sendable (String, Bool) -> Void) {
        self.change = change
    }

    mutating func begin(_ identity: String?) {
        guard let identity else { return }
        counts[identity, default: 0] += 1
        if counts[identity] == 1 { change(identity, true) }
    }

    mutating func end(_ identity: String?) {
        guard let identity, let count = counts[identity] else { return }
        counts[identity] = count > 1 ? count - 1 : nil
        if count == 1 { change(identity, false) }
    }
}
