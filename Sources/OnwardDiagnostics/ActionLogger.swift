// SPDX-License-Identifier: MIT

public import OnwardCore

/// A middleware that writes a line per action: the action, what became of it, how long it took
/// until it was notified, and optionally what changed in that time.
///
/// ```text
/// GameAction/flip(7) → version 12 in 8100 ns; game.moves: 3 → 4
/// ```
///
/// The line goes to a closure, so any logger will do and none is needed. Values marked with
/// ``Redacted`` are not shown.
///
/// Lines are written one at a time, in version order. So the line of an answer dispatched by a
/// subscriber, and the lines of other threads, wait until the earlier action is notified; at most
/// 10,000 wait. If actions come faster than lines are written, some lines are left out, and a line
/// says how many. Make one middleware for each store.
public struct ActionLogger<State: Sendable>: Middleware {
    private let showsChanges: Bool
    private let lines: OrderedLines

    /// Creates a logging middleware.
    ///
    /// - Parameters:
    ///   - changes: Whether to show what changed until the action had been notified, including
    ///     answers of subscribers and effects in that time. This keeps the old state during the
    ///     action, so arrays that it changes are copied, and compares by reflection; use it for
    ///     debugging.
    ///   - write: Receives a line, on a dispatching thread that may not be the action's.
    public init(changes: Bool = false, _ write: @escaping @Sendable (String) -> Void) {
        showsChanges = changes
        lines = OrderedLines(write)
    }

    /// Passes the action on, and writes the line.
    public func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<State>
    ) -> DispatchResult {
        let before = showsChanges ? context.state : nil
        let call = lines.begin()
        let stopwatch = Stopwatch(context.clock)
        let result = context.next(action)
        let duration = stopwatch.elapsed()
        var line = Self.text(action, context.address)
        switch result {
        case .accepted(let version): line += " → version \(version)"
        case .withheld: line += " withheld"
        case .refused(let refusal): line += " refused: \(refusal)"
        }
        line += " in \(Self.text(duration))"
        if let before {
            let changes = StateChanges(from: before, to: context.state).lines
            line += "; " + (changes.isEmpty ? "nothing changed" : changes.joined(separator: ", "))
        }
        lines.end(call, at: result.version, line)
        return result
    }

    private static func text<A: Action>(_ action: A, _ address: Address) -> String {
        let place = address == .root ? "" : " at \(address)"
        let children = Mirror(reflecting: action).children
        guard !children.isEmpty else { return action.wireName + place }
        let text = "\(action)"
        let payload = text.firstIndex(of: "(").map { String(text[$0...]) } ?? ""
        return action.wireName + payload + place
    }

    private static func text(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds
        switch nanoseconds {
        case ..<10_000: return "\(nanoseconds) ns"
        case ..<10_000_000: return "\(nanoseconds / 1_000) µs"
        default: return "\(nanoseconds / 1_000_000) ms"
        }
    }
}
