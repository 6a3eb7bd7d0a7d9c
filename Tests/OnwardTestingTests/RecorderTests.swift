// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@Suite struct RecorderTests {
    struct Add: Action { let amount: Int }

    static func makeStore() -> Store<Int> {
        Store(0) { Reduce { (sum: inout Int, action: Add) in sum += action.amount } }
    }

    @Test
    func `writes down old and new values in their order`() {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, \.self, initially: true)
        store.dispatch(Add(amount: 2))
        store.dispatch(Add(amount: 3))
        #expect(recorder.changes.map(\.old) == [0, 0, 2])
        #expect(recorder.values == [0, 2, 5])
        recorder.cancel()
        store.dispatch(Add(amount: 1))
        #expect(recorder.values.count == 3)
    }

    @Test
    func `waits for a number of calls`() async {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, \.self)
        async let calls: Void = recorder.calls(2)
        await Task.detached {
            store.dispatch(Add(amount: 1))
            store.dispatch(Add(amount: 1))
        }.value
        await calls
        #expect(recorder.values == [1, 2])
    }
}
