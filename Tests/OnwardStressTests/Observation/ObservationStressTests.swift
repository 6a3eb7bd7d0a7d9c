// SPDX-License-Identifier: MIT

import Observation
import Onward
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct ObservationStressTests {
    /// With few commits that may wait, many are delivered as one.
    @Test(arguments: [1, 50, 4_096])
    func `views on the main actor end with the current values while threads dispatch`(
        waiting: Int
    ) async {
        let limits = StoreLimits(waitingCommits: waiting)
        let store = makeTodos(8, options: StoreOptions(limits: limits))
        let each = scaled(2_000)
        let viewers = await MainActor.run {
            (0..<8).map { id in MainViewer(store) { $0[.row(\.todos, id: id)]?.isDone } }
        }
        let filter = await MainActor.run { MainViewer(store) { $0[\.filter] } }
        await Task.detached {
            onThreads(4) { thread in
                for step in 0..<each {
                    store.dispatch(TodoAction.toggle((thread * 3 + step) % 8))
                    if step % 10 == 0 { store.dispatch(TodoAction.filter(step)) }
                    if step % 50 == 0 { _ = store[.row(\.todos, id: step % 8)] }
                }
                store.dispatch(TodoAction.filter(-1))
            }
        }.value
        await store.waitUntilIdle()
        let state = store.state
        await MainActor.run {
            for (id, viewer) in viewers.enumerated() {
                #expect(viewer.last == .some(state.todos[id: id]?.isDone))
            }
            #expect(filter.last == -1)
        }
    }
}

extension ObservationStressTests {
    @Test
    func `readers that come first at the same time are all notified`() {
        for _ in 0..<scaled(300) {
            let store = makeBank()
            let notified = Log<Int>()
            onThreads(3) { thread in
                withObservationTracking {
                    _ = store[\.balance]
                } onChange: {
                    notified.append(thread)
                }
            }
            store.dispatch(BankAction.deposit(1))
            #expect(notified.all.sorted() == [0, 1, 2])
        }
    }
}

/// A view on the main actor: looks again in a task of its own, as SwiftUI does.
@MainActor private final class MainViewer<Value: Sendable> {
    private let store: Store<TodoApp>
    private let read: @MainActor (Store<TodoApp>) -> Value
    private(set) var last: Value?

    init(_ store: Store<TodoApp>, _ read: @escaping @MainActor (Store<TodoApp>) -> Value) {
        self.store = store
        self.read = read
        look()
    }

    private func look() {
        last = withObservationTracking {
            read(store)
        } onChange: { [weak self] in
            MainActor.assumeIsolated { self?.look() }
        }
    }
}
