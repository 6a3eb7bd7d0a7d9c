// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

/// Writes the log down.
private final class Scribe: CommitObserver {
    typealias State = Library
    let entries = Mutex<[String]>([])

    var needs: ObserverNeeds { .after }

    func observe(_ commit: Commit<Library>) {
        let lent = commit.after?.books.count { $0.isLent } ?? -1
        entries.withLock {
            $0.append("\(commit.entry.version) \(commit.entry.action): \(lent) lent")
        }
    }
}

@Suite struct ObserverTests {
    @Test
    func `an observer of a client reads each entry in order, with the state after it`() {
        let store = makeLibrary()
        let scribe = Scribe()
        let token = store.log.attach(scribe)
        store.dispatch(LibraryAction.lend(1))
        store.batch {
            store.dispatch(LibraryAction.lend(2))
            store.dispatch(LibraryAction.returned(1))
        }
        token.cancel()
        store.dispatch(LibraryAction.lend(3))
        #expect(
            scribe.entries.withLock { $0 } == [
                "1 lend(1): 1 lent", "2 lend(2): 2 lent",
                "3 returned(1): 1 lent",
            ])
    }
}
