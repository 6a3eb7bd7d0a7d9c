// SPDX-License-Identifier: MIT

public import Onward

/// Records what a subscription is notified of, for a test to read.
///
/// ```swift
/// let recorder = Recorder(of: store, \.balance)
/// store.dispatch(BankAction.deposit(50))
/// #expect(recorder.values == [50])
/// ```
///
/// It records anything that a store can be asked for: key paths, closures, rows, tables, selectors,
/// sequences. For subscriptions without an initializer here, such as one with your own comparison,
/// subscribe in a closure: see ``init(subscribing:)``. The recording ends with the last reference
/// to the recorder, or with ``cancel()``.
public final class Recorder<Value: Sendable>: Sendable {
    /// One call of the subscriber.
    public struct Change: Sendable {
        /// The value that the subscriber saw before.
        public let old: Value
        /// The new value.
        public let new: Value
    }

    private let recorded = Awaited<[Change]>([])
    private let end = Guarded<(@Sendable () -> Void)?>(nil)

    /// Creates a recorder without a subscription; subscribe with ``record(_:_:)``.
    public init() {}

    /// Creates a recorder of what `subscribe` subscribes to.
    ///
    /// ```swift
    /// let recorder = Recorder<Int> { record in
    ///     store.subscribe(.selecting({ $0.balance }, removingDuplicatesBy: { abs($0 - $1) < 10 }), record)
    /// }
    /// ```
    ///
    /// - Parameter subscribe: Receives the function to subscribe with; called once.
    public convenience init(
        subscribing subscribe: (
            _ record: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
        ) -> Subscription
    ) {
        self.init()
        let token = subscribe { [weak self] old, new in self?.record(old, new) }
        atEnd { token.cancel() }
    }

    /// Creates a recorder of the elements of a sequence, such as `store.values(of: \.balance)`.
    ///
    /// It reads in its own task. The first value counts as its own ``Change/old``.
    public convenience init<Values: AsyncSequence & Sendable>(of values: Values)
    where Values.Element == Value, Values.Failure == Never {
        self.init()
        let task = Task { [weak self] in
            var last: Value?
            for await value in values {
                self?.record(last ?? value, value)
                last = value
            }
        }
        atEnd { task.cancel() }
    }

    deinit {
        cancel()
    }

    /// All calls so far, in their order.
    public var changes: [Change] { recorded.withValue { $0 } }

    /// The new values of all calls so far, in their order.
    public var values: [Value] { changes.map(\.new) }

    /// Records a call.
    @Sendable
    public func record(_ old: Value, _ new: Value) {
        recorded.withValue { $0.append(Change(old: old, new: new)) }
    }

    /// Waits until there have been at least a given number of calls.
    ///
    /// - Parameters:
    ///   - count: How many calls.
    ///   - limit: How much real time this may take before the test fails.
    ///   - fileID: The source file, for the failure.
    ///   - filePath: The path of the source file, for the failure.
    ///   - line: The source line, for the failure.
    ///   - column: The column in the line, for the failure.
    public func waitUntilCalled(
        _ count: Int, within limit: Duration = .seconds(10), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        guard await recorded.wait(atMost: limit, until: { $0.count >= count }) == .late else {
            return
        }
        let values = values
        Issue.report(
            """
            Waited \(limit) of real time for \(count) calls of a recorder, in vain. There were \
            \(values.count): \(Issue.list(values)). To fix this, check that the value which it \
            records changes so often: equal values are not notified.
            """, at: CallSite(fileID, filePath, line, column))
    }

    /// Ends the subscription.
    public func cancel() {
        let end = end.withValue { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    private func atEnd(_ body: @escaping @Sendable () -> Void) {
        end.withValue { $0 = body }
    }
}
