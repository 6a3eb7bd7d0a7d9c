// SPDX-License-Identifier: MIT
#if Server

import DequeModule
import NIOCore
import Onward

/// Limits how many documents are drawn at a time for each address, so that one that requests many
/// large documents leaves processors to the others.
///
/// Waiting requests hold no thread; the connections that an address may have limit their number.
final class DrawingTurns: Sendable {
    private struct Line {
        var drawing = 0
        var waiting: Deque<CheckedContinuation<Void, Never>> = []
    }

    private let limit: Int
    private let lines = Guarded<[ClientAddress: Line]>([:])

    /// Allows this many turns at a time; by default as many as there are processors.
    init(limit: Int = System.coreCount) { self.limit = max(limit, 1) }

    /// Waits for a turn, to be ended with ``end(of:)``.
    func begin(of address: ClientAddress) async {
        if lines.withValue({ take(address, &$0) }) { return }
        await withCheckedContinuation { continuation in
            let hasTurn = lines.withValue { lines in
                if take(address, &lines) { return true }
                lines[address]?.waiting.append(continuation)
                return false
            }
            if hasTurn { continuation.resume() }
        }
    }

    /// Gives the turn to the one that has waited longest.
    func end(of address: ClientAddress) {
        let next = lines.withValue { lines -> CheckedContinuation<Void, Never>? in
            if let next = lines[address]?.waiting.popFirst() { return next }
            lines[address]?.drawing -= 1
            if lines[address]?.drawing == 0 { lines[address] = nil }
            return nil
        }
        next?.resume()
    }

    private func take(_ address: ClientAddress, _ lines: inout [ClientAddress: Line]) -> Bool {
        guard lines[address, default: Line()].drawing < limit else { return false }
        lines[address, default: Line()].drawing += 1
        return true
    }
}
#endif
