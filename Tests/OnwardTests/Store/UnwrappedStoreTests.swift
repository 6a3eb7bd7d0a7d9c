// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// Stores of what an optional holds, several of them of the same one.
@Suite struct UnwrappedStoreTests {
    private struct App: Sendable { var editor: Counter? = Counter() }
    private struct Open: Action { var count: Int? }

    private let store = Store(App()) {
        Reduce { (app: inout App, open: Open) in app.editor = open.count.map { Counter(count: $0) }
        }
    }

    @Test
    func `old is the last value given to this subscriber, whatever another store saw last`() throws
    {
        // One store saw 0 last and subscribes first, the other will have seen 1 last.
        let one = try #require(store.scoped(to: \.editor).unwrapped())
        let other = try #require(store.scoped(to: \.editor).unwrapped())
        store.dispatch(Open(count: 1))
        #expect(other.state.count == 1)
        store.dispatch(Open())
        let first = Recorder(of: one, \.count, initially: true)
        let second = Recorder(of: other, \.count, initially: true)
        #expect(first.values == [0])
        #expect(second.values == [1])
        store.dispatch(Open(count: 1))
        #expect(first.changes.map { [$0.old, $0.new] } == [[0, 0], [0, 1]])
        #expect(second.changes.map { [$0.old, $0.new] } == [[1, 1]])
        store.dispatch(Open())
        store.dispatch(Open(count: 5))
        #expect(first.changes.last.map { [$0.old, $0.new] } == [1, 5])
        #expect(second.changes.last.map { [$0.old, $0.new] } == [1, 5])
    }

    @Test
    func `a store shows what its own subscribers were delivered last, when the slice is gone`()
        throws
    {
        let stores = try (0..<2).map { _ in try #require(store.scoped(to: \.editor).unwrapped()) }
        let recorders = stores.map { Recorder(of: $0, \.count) }
        store.dispatch(Open(count: 1))
        store.dispatch(Open())
        #expect(recorders.map(\.values) == [[1], [1]])
        #expect(stores.map(\.state.count) == [1, 1])
    }

    private struct Probed: Sendable { var editor: Editor? }
    private struct Editor: Sendable {
        var count: Int
        let onRead: @Sendable () -> Void
        var total: Int {
            onRead()
            return count
        }
    }
    private struct Replace: Action { var editor: Editor? }

    @Test(arguments: [false, true])
    func `a subscriber that came while the slice went is notified of a change`(initially: Bool)
        throws
    {
        let store = Store(Probed()) {
            Reduce { (app: inout Probed, replace: Replace) in app.editor = replace.editor }
        }
        let reads = Guarded(0)
        // The first reading is the subscription's; meanwhile the slice goes.
        let editor = Editor(count: 1) { [store] in
            let isFirst = reads.withValue {
                $0 += 1
                return $0 == 1
            }
            if isFirst { store.dispatch(Replace()) }
        }
        store.dispatch(Replace(editor: editor))
        let unwrapped = try #require(store.scoped(to: \.editor).unwrapped())
        let recorder = Recorder(of: unwrapped, \.total, initially: initially)
        store.dispatch(Replace(editor: Editor(count: 0) {}))
        #expect(recorder.changes.last.map { [$0.old, $0.new] } == [1, 0])
    }
}
