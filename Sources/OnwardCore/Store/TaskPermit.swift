// SPDX-License-Identifier: MIT

internal import Synchronization

/// The permit that a task works with.
package enum TaskPermit {
    /// That of the current task; nil outside of such tasks.
    @TaskLocal package static var current: (any DispatchPermit)?

    /// Whether any task of the program ever worked with one.
    ///
    /// Apps in which none does need not ask for `current` then, which takes a tenth of telling a
    /// subscriber.
    private static let isInUse = Atomic(false)

    /// Does work with a permit, in the current task and in those that it makes.
    package static func perform<R>(
        with permit: any DispatchPermit, _ body: () async -> R
    ) async -> R {
        isInUse.store(true, ordering: .relaxed)
        return await $current.withValue(permit, operation: body)
    }

    /// Calls code that does not work with the current task's permit, though its thread calls.
    ///
    /// A task that is made there would take the permit on otherwise.
    @inline(__always)
    package static func withNone<R>(_ body: () -> R) -> R {
        guard isInUse.load(ordering: .relaxed), current != nil else { return body() }
        return $current.withValue(nil, operation: body)
    }
}
