// SPDX-License-Identifier: MIT
#if Server

import DequeModule
import NIOCore
import Onward

/// Lets each address have only so many documents drawn at a time, so that one that asks for many large ones leaves
/// processors to the others.
///
/// Those that wait hold no thread. They are bounded by the connections that an address may have.
final class DrawingTurns: Sendable {
    private struct Line {
        var drawing = 0
        var waiting: Deque<CheckedContinuation<Void, Never>> = []
    }

    private let limit: Int
    private let lines = Guarded<[ClientAddress: Line]>([:])

    /// Turns for so many at a time; by default for as many as there are processors.
    init(limit: Int = System.coreCount) { self.limit = max(limit, 1) }

    /// Waits for a turn, which ends with ``end(of:)``.
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
