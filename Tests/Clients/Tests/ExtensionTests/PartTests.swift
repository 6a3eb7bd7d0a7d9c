// SPDX-License-Identifier: MIT

import Onward
import Testing

/// Counts the actions that pass, refuses some, and answers others: a part made of reducers, a middleware and
/// an effect.
private struct Desk: Part {
    typealias State = Library

    struct Refusing: Middleware {
        typealias State = Library
        let id: Int

        func handle<A: Action>(
            _ action: A, in context: borrowing MiddlewareContext<Library>
        ) -> DispatchResult {
            if case .lend(id)? = action as? LibraryAction { return .withheld }
            return context.next(action)
        }
    }

    let missing: Int

    func register(in registration: inout Registration<Library>) {
        registration.add(Refusing(id: missing))
        registration.add(
            Reduce { (library, action: LibraryAction) in
                if case .lend = action { library.lendings += 1 }
            })
        registration.add(
            OnAction { (action: LibraryAction, _) in
                if case .lend(let id) = action {
                    .dispatch(LibraryAction.returned(id))
                } else {
                    .none
                }
            })
    }
}

@Suite struct PartTests {
    @Test
    func
        `a part of a client reduces, passes actions on or withholds them, and answers with effects`()
        async
    {
        let store = Store(Library()) {
            Desk(missing: 3)
            lending
        }
        #expect(store.dispatch(LibraryAction.lend(1)).version != nil)
        #expect(store.dispatch(LibraryAction.lend(3)) == .withheld)
        await store.waitUntilIdle()
        #expect(store.state.lendings == 1)
        #expect(store.state.books.allSatisfy { !$0.isLent })
        #expect(store.log.version == 2)
    }
}
