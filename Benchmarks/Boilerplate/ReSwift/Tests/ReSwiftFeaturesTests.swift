// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftThunk
import Testing

/// What is counted of ReSwift compiles, and does what README.md says.
///
/// The search waits on the real clock, which no test does.
@MainActor @Suite(.timeLimit(.minutes(1))) struct `The features for ReSwift` {
    /// The first state that is meant.
    private func reach<State>(
        in store: Store<State>, _ isMeant: @escaping (State) -> Bool
    ) async -> State {
        while true {
            if isMeant(store.state) { return store.state }
            await Task.yield()
        }
    }

    @Test func `each does its work`() async {
        let counting = Store(reducer: counter, state: nil)
        counting.dispatch(CounterAction.increment)
        #expect(counting.state.count == 1)

        let form = Store(reducer: signUp, state: nil, middleware: [createThunkMiddleware()])
        form.dispatch(SignUpAction.name("Ann"))
        form.dispatch(SignUpAction.mail("ann@example.com"))
        form.dispatch(send { _ in })
        #expect(await reach(in: form) { !$0.isSending }.problem == nil)

        let list = Store(reducer: itemList, state: nil, middleware: [createThunkMiddleware()])
        list.dispatch(ItemListAction.add(7))
        list.dispatch(open(7) { ["made \($0)"] })
        #expect(await reach(in: list) { $0.detail?.history.isEmpty == false }.detail?.id == 7)
        list.dispatch(ItemListAction.save)
        #expect(list.state.items.map(\.history) == [["made 7"]])
    }
}
