// SPDX-License-Identifier: MIT

public import Onward

/// Records the log of a store for a test to read.
///
/// ```swift
/// let log = LogRecorder(of: store)
/// store.dispatch(BankAction.deposit(50))
/// #expect(log.names == ["BankAction/deposit"])
/// #expect(log.actions(of: BankAction.self) == [.deposit(50)])
/// #expect(store.log.replay(log.entries, from: Bank()) == store.state)
/// ```
///
/// The recording ends with the last reference to the recorder, or with ``cancel()``.
public final class LogRecorder<State: Sendable>: Sendable {
    private let recorded = Awaited<[Commit<State>]>([])
    private let token: Guarded<Subscription?>

    /// Creates a recorder of a store's commits from now on.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - needs: What to keep besides the entries, such as the states.
    public init(of store: Store<State>, needs: ObserverNeeds = []) {
        token = Guarded(store.log.attach(Observer(needs: needs, recorded: recorded)))
    }

    deinit {
        cancel()
    }

    /// All commits so far, in their order.
    public var commits: [Commit<State>] { recorded.withValue { $0 } }

    /// The entries of all commits so far, in their order.
    public var entries: [LogEntry] { commits.map { $0.entry } }

    /// The names of the actions of all commits so far, as on the wire: `BankAction/deposit`.
    public var names: [String] { entries.map { $0.action.wireName } }

    /// All actions of one type so far, in their order.
    public func actions<A: Action>(of type: A.Type = A.self) -> [A] {
        entries.compactMap { $0.action as? A }
    }

    /// Waits until there are at least a given number of entries.
    ///
    /// - Parameters:
    ///   - count: How many entries.
    ///   - limit: How much real time this may take before the test fails.
    ///   - fileID: The source file, for the failure.
    ///   - filePath: The path of the source file, for the failure.
    ///   - line: The source line, for the failure.
    ///   - column: The column in the line, for the failure.
    public func entries(
        _ count: Int, within limit: Duration = .seconds(10), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        guard await recorded.wait(atMost: limit, until: { $0.count >= count }) == .late else {
            return
        }
        let names = names
        Issue.report(
            """
            Waited \(limit) of real time for \(count) entries of the log, in vain. There are \
            \(names.count): \(Issue.list(names)).
            """, at: CallSite(fileID, filePath, line, column))
    }

    /// Ends the recording.
    public func cancel() {
        let token = token.withValue { token in
            defer { token = nil }
            return token
        }
        token?.cancel()
    }

    private struct Observer: CommitObserver {
        let needs: ObserverNeeds
        let recorded: Awaited<[Commit<State>]>

        func observe(_ commit: Commit<State>) { recorded.withValue { $0.append(commit) } }
    }
}
