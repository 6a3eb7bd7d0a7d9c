// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Performs the durable work of one store on a node, until it ends or the node loses the store.
final class DurableRunner<State: Sendable>: Sendable {
    private struct Place: Hashable {
        let id: EntryID
        let epoch: UInt64
    }

    private let store: Store<State>
    private let clock: any Clock<Duration>
    private let tasks = Guarded<[Place: Task<Void, Never>]>([:])

    init(_ store: Store<State>, clock: any Clock<Duration>) {
        self.store = store
        self.clock = clock
    }

    /// Begins an entry's work; `done` is called once all of it has ended, unless it is stopped.
    func begin(
        _ bodies: [DurableKind.Body], in epoch: UInt64, _ context: DurableContext,
        done: @escaping @Sendable () async -> Void
    ) {
        let place = Place(id: context.id, epoch: epoch)
        // The action may have been proposed by an effect, to which this doesn't belong.
        TaskPermit.withNone {
            tasks.withValue { tasks in
                tasks[place] = Task {
                    await withDiscardingTaskGroup { group in
                        for body in bodies { group.addTask { await self.run(body, context) } }
                    }
                    if !Task.isCancelled { await done() }
                    self.tasks.withValue { $0[place] = nil }
                }
            }
        }
    }

    /// Ends all of it.
    func end() {
        let ended = tasks.withValue { tasks in
            defer { tasks = [:] }
            return tasks
        }
        for task in ended.values { task.cancel() }
    }

    /// Runs a closure until it succeeds, like the store's effects.
    private func run(_ body: @escaping DurableKind.Body, _ context: DurableContext) async {
        let isDone = Guarded(false)
        var random = SystemRandomNumberGenerator()
        var attempt = 0
        while !Task.isCancelled {
            let effect = store.dispatch(id: "durable \(context.id)") { _ in
                try await body(context)
                isDone.withValue { $0 = true }
            }
            await withTaskCancellationHandler {
                await effect.waitUntilEnded()
            } onCancel: {
                effect.cancel()
            }
            if isDone.withValue({ $0 }) { return }
            attempt += 1
            let pause = Backoff.exponential().delay(after: attempt, using: &random)
            guard (try? await clock.sleep(for: pause)) != nil else { return }
        }
    }
}
