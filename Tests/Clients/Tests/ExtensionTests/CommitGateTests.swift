// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

/// Takes back what was done, one step at a time.
private final class Steps: CommitGate, CommitObserver {
    typealias State = Library
    private let states = Mutex<[Library]>([])

    var needs: ObserverNeeds { .before }

    func accepts(_ pending: PendingCommit) -> Bool { true }

    func observe(_ commit: Commit<Library>) {
        guard commit.entry.kind == .action, let before = commit.before else { return }
        states.withLock { $0.append(before) }
    }

    func takeBack(_ controller: CommitGateController<Library>, in store: Store<Library>) {
        guard let last = states.withLock({ $0.popLast() }) else { return }
        controller.install(last, replacing: store.log.version, resuming: true)
    }
}

/// Lets nothing through while it is closed.
private final class Barrier: CommitGate {
    typealias State = Library
    private let isClosed = Mutex(false)

    func accepts(_ pending: PendingCommit) -> Bool {
        !isClosed.withLock { $0 }
    }

    func close(_ controller: CommitGateController<Library>) {
        isClosed.withLock { $0 = true }
        controller.reevaluate()
    }
}

@Suite struct CommitGateTests {
    @Test
    func `two gates of a client steer one store: one takes steps back, the other closes it`() {
        let store = makeLibrary()
        let (steps, barrier) = (Steps(), Barrier())
        let token = store.log.attach(steps)
        let back = store.log.attach(gate: steps)
        let closing = store.log.attach(gate: barrier)
        store.dispatch(LibraryAction.lend(1))
        store.dispatch(LibraryAction.lend(2))
        steps.takeBack(back, in: store)
        #expect(store.value(of: .lent) == [1])
        barrier.close(closing)
        #expect(store.dispatch(LibraryAction.lend(3)) == .withheld)
        steps.takeBack(back, in: store)
        #expect(store.value(of: .lent) == [])
        closing.detach()
        #expect(store.dispatch(LibraryAction.lend(3)).version == 5)
        token.cancel()
    }
}
