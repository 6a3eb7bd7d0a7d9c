// SPDX-License-Identifier: MIT

public import Onward
internal import Synchronization

/// Has a key wanted as long as it is kept: for a view, a page or a task that shows an answer which
/// the app's state doesn't ask for.
///
/// Handles are counted: a key is wanted until the last one is gone. They are not saved with the
/// cache, and those of an earlier run don't count.
public final class QueryHandle: Sendable {
    private let release: @Sendable () -> Void
    private let isReleased = Atomic(false)

    init(_ release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { cancel() }

    /// Gives the key up; further calls do nothing.
    public func cancel() {
        if !isReleased.exchange(true, ordering: .relaxed) { release() }
    }
}

extension Store {
    /// Wants a key until the handle is released.
    ///
    /// ```swift
    /// let handle = store.hold(Notes(page: 2), in: \.pages)
    /// ```
    ///
    /// May be called from any thread; dispatches one action now and one at the end. The handle does
    /// not keep the store alive.
    ///
    /// - Parameters:
    ///   - query: The key.
    ///   - cache: The cache, as in its ``Fetch``.
    ///   - name: The step of the address, when the fetch was given one.
    ///   - file: The source file, for the entries.
    ///   - line: The source line, for the entries.
    /// - Returns: What keeps the key wanted.
    public func hold<Q: Query>(
        _ query: Q, in cache: any WritableKeyPath<State, QueryCache<Q>> & Sendable,
        name: String? = nil, file: String = #fileID, line: Int = #line
    ) -> QueryHandle {
        let place = AddressPath<State>.child(cache, name: name)
        dispatch(
            QueryAction.held(query, by: Process.current), to: place, file: file, line: line,
            isolation: nil)
        return QueryHandle { [weak self] in
            self?.dispatch(
                QueryAction.released(query, by: Process.current), to: place, file: file, line: line,
                isolation: nil)
        }
    }
}

/// Tells the handles of this process from those that an earlier one left in a journal.
enum Process {
    static let current = UInt64.random(in: .min ... .max)
}
