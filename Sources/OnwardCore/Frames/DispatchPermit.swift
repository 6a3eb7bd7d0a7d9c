// SPDX-License-Identifier: MIT

internal import Synchronization

/// The right of something to dispatch, which ends when that something does.
///
/// A commit looks at it under the lock, so that nothing is committed in the name of what is over.
package protocol DispatchPermit: AnyObject, Sendable {
    /// Whether it no longer holds; may be asked by any thread, under the lock too.
    var isOver: Bool { get }
}

/// Until when a permit holds: until it is ended, and no longer than the one around it.
package struct PermitValidity: ~Copyable, Sendable {
    private let outer: (any DispatchPermit)?
    private let ended = Atomic(false)

    package init(within outer: (any DispatchPermit)?) {
        self.outer = outer
    }

    package var isOver: Bool {
        ended.load(ordering: .acquiring) || (outer?.isOver ?? false)
    }

    package func end() {
        ended.store(true, ordering: .releasing)
    }
}

/// The permit that a task works with.
package enum TaskPermit {
    /// The permit of the current task; nil outside such tasks.
    @TaskLocal package static var current: (any DispatchPermit)?

    /// Whether any task of the program ever worked with one.
    ///
    /// Where none does, an app need not ask for `current`, which takes a tenth of notifying a
    /// subscriber.
    private static let isInUse = Atomic(false)

    /// To be called before a task works with a permit for the first time.
    package static func noteUse() {
        if !isInUse.load(ordering: .relaxed) { isInUse.store(true, ordering: .relaxed) }
    }

    /// Calls code that works neither with the current task's permit nor in the name of its author, although it is
    /// called from that task.
    ///
    /// Otherwise a task that is made there would inherit both.
    @inline(__always)
    package static func withNone<R>(_ body: () -> R) -> R {
        ActionAuthor.withNone {
            guard isInUse.load(ordering: .relaxed), current != nil else { return body() }
            return $current.withValue(nil, operation: body)
        }
    }
}
