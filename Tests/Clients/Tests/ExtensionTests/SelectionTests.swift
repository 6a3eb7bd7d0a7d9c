// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

extension Selection where State == Library, Value == [Int] {
    /// The books that are lent, in their order: a selection of a client.
    static var lent: Selection {
        .selecting { library in library.books.filter(\.isLent).map(\.id) }
    }
}

@Suite struct SelectionTests {
    @Test
    func `a selection of a client is subscribed to, awaited and read like those of the library`()
        async
    {
        let store = makeLibrary()
        let notified = Mutex<[[Int]]>([])
        let token = store.subscribe(.lent) { _, new in notified.withLock { $0.append(new) } }
        store.dispatch(LibraryAction.lend(2))
        store.dispatch(LibraryAction.lend(2))
        store.dispatch(LibraryAction.lend(1))
        token.cancel()
        #expect(notified.withLock { $0 } == [[2], [1, 2]])
        #expect(store.value(of: .lent) == [1, 2])
        #expect(store[.lent] == [1, 2])
        var values = store.values(of: .lent).makeAsyncIterator()
        #expect(await values.next() == [1, 2])
    }
}
