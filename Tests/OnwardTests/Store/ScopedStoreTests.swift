// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

/// A store whose editor and rows come and go.
private struct Studio: Equatable, Sendable {
    var editor: Counter?
    var rows: EntityTable<Row> = []
    var inner = Inner()

    struct Inner: Equatable, Sendable { var editor: Editor? }
    struct Editor: Equatable, Sendable {
        var counter = Counter()
        var note: String?
        /// Has no place of its own in memory.
        var doubled: Counter {
            get { Counter(count: counter.count * 2) }
            set { counter.count = newValue.count / 2 }
        }
    }
}

private enum StudioAction: Action {
    case open(Int), close, reopen(Int)
    case put(Row), remove(Int), removeAndPut(Row)
    case edit(Studio.Editor?)
}

private func makeStudio(_ studio: Studio = Studio()) -> Store<Studio> {
    Store(studio) {
        Reduce { (studio: inout Studio, action: StudioAction) in
            switch action {
            case .open(let count): studio.editor = Counter(count: count)
            case .close: studio.editor = nil
            case .reopen(let count):
                studio.editor = nil
                studio.editor = Counter(count: count)
            case .put(let row): studio.rows[id: row.id] = row
            case .remove(let id): studio.rows.remove(id: id)
            case .removeAndPut(let row):
                studio.rows.remove(id: row.id)
                studio.rows.append(row)
            case .edit(let editor): studio.inner.editor = editor
            }
        }
        Scope(\.editor, counter)
        Scope(each: \.rows, row)
        Scope(
            \.inner,
            Feature<Studio.Inner> {
                Scope(\.editor, Feature<Studio.Editor> { Scope(\.counter, counter) })
            })
    }
}

private let every = Buffering.every(limit: 100, onOverflow: .dropOldest)

@Suite(.timeLimit(.minutes(5))) struct ScopedStoreTests {
    @Test
    func
        `when an optional slice goes, subscribers are notified of nil once, and dispatches are refused`()
    {
        let store = makeStudio(Studio(editor: Counter(count: 1)))
        let editor = store.scoped(to: \.editor)
        let whole = Recorder<Counter?>()
        let part = Recorder<Int?>()
        let tokens = [
            editor.subscribe(\.self, whole.record), editor.subscribe(\.?.count, part.record),
        ]
        #expect(editor.dispatch(CounterAction.increment).version != nil)
        store.dispatch(StudioAction.close)
        store.dispatch(StudioAction.close)
        store.dispatch(StudioAction.put(Row(id: 1)))
        #expect(whole.values == [Counter(count: 2), nil])
        #expect(part.values == [2, nil])
        #expect(editor.dispatch(CounterAction.increment) == .refused(.absent))
        #expect(editor.state == nil)
        store.dispatch(StudioAction.open(5))
        #expect(part.values == [2, nil, 5])
        #expect(editor.dispatch(CounterAction.increment).version != nil)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `when an optional slice goes, its sequences end, with nil as their last value`() async {
        let store = makeStudio(Studio(editor: Counter(count: 1)))
        let editor = store.scoped(to: \.editor)
        var whole = editor.values(of: \.self, buffering: every).makeAsyncIterator()
        var part = editor.values(of: \.?.count, buffering: every).makeAsyncIterator()
        var latest = editor.values(of: \.?.count).makeAsyncIterator()
        store.dispatch(StudioAction.close)
        store.dispatch(StudioAction.open(7))
        #expect(
            [await whole.next(), await whole.next(), await whole.next()]
                == [Counter(count: 1), .some(nil), nil])
        #expect([await part.next(), await part.next(), await part.next()] == [1, .some(nil), nil])
        #expect([await latest.next(), await latest.next()] == [.some(nil), nil])
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
        #expect(store.engine.withLock { $0.state.endings?.isEmpty } == true)
    }

    @Test
    func `a sequence that begins before its slice is there waits for it`() async {
        let store = makeStudio()
        var counts = store.scoped(to: \.editor).values(of: \.?.count, buffering: every)
            .makeAsyncIterator()
        store.dispatch(StudioAction.open(3))
        store.dispatch(StudioAction.close)
        let first = await counts.next()
        #expect(first == .some(nil))
        #expect(
            [await counts.next(), await counts.next(), await counts.next()] == [3, .some(nil), nil])
    }

    @Test
    func `a sequence whose value was nil already ends without a second nil`() async {
        let store = makeStudio(Studio(inner: Studio.Inner(editor: Studio.Editor())))
        let editor = store.scoped(to: \.inner).scoped(to: \.editor)
        var notes = editor.values(of: \.?.note, buffering: every).makeAsyncIterator()
        store.dispatch(StudioAction.edit(nil))
        #expect(await notes.next() == .some(nil))
        #expect(await notes.next() == nil)
    }

    @Test
    func `a slice that goes and comes back in one commit was not gone`() async {
        let store = makeStudio(Studio(editor: Counter(count: 1)))
        var counts = store.scoped(to: \.editor).values(of: \.?.count, buffering: every)
            .makeAsyncIterator()
        store.dispatch(StudioAction.reopen(2))
        store.dispatch(StudioAction.reopen(3))
        #expect([await counts.next(), await counts.next(), await counts.next()] == [1, 2, 3])
    }

    @Test
    func
        `when a row goes, its store refuses, its subscribers are notified of it once, its sequences end`()
        async
    {
        let store = makeStudio(Studio(rows: [Row(id: 1), Row(id: 2)]))
        let two = store.scoped(to: .row(\.rows, id: 2))
        let counts = Recorder<Int?>()
        let token = two.subscribe(\.?.count, counts.record)
        var values = two.values(of: \.?.count, buffering: every).makeAsyncIterator()
        two.dispatch(CounterAction.increment)
        store.scoped(to: .row(\.rows, id: 1)).dispatch(CounterAction.increment)
        store.dispatch(StudioAction.remove(2))
        store.dispatch(StudioAction.remove(1))
        #expect(counts.values == [1, nil])
        #expect(two.dispatch(CounterAction.increment) == .refused(.absent))
        #expect(two.state == nil)
        #expect([await values.next(), await values.next()] == [0, 1])
        #expect([await values.next(), await values.next()] == [.some(nil), nil])
        token.cancel()
    }

    @Test
    func `slices inside an optional slice end with it`() async {
        let start = Studio.Editor(counter: Counter(count: 4))
        let store = makeStudio(Studio(inner: Studio.Inner(editor: start)))
        let editor = store.scoped(to: \.inner).scoped(to: \.editor).unwrapped()
        let inside = editor?.scoped(to: \.counter)
        #expect(inside?.state.count == 4)
        var counts = inside?.values(of: \.count, buffering: every).makeAsyncIterator()
        inside?.dispatch(CounterAction.increment)
        store.dispatch(StudioAction.edit(nil))
        #expect([await counts?.next(), await counts?.next(), await counts?.next()] == [4, 5, nil])
        #expect(inside?.dispatch(CounterAction.increment) == .refused(.absent))
        #expect(inside?.state.count == 5)
    }

    @Test
    func `slices of a slice, at any depth, read and subscribe like the root`() {
        let start = Studio.Editor(counter: Counter(count: 4))
        let store = makeStudio(Studio(inner: Studio.Inner(editor: start)))
        let inner = store.scoped(to: \.inner)
        let log = Log<Int?>()
        let token = inner.subscribe(\.editor?.counter.count) { _, new in log.append(new) }
        inner.dispatch(CounterAction.increment)
        store.dispatch(CounterAction.increment)
        store.dispatch(StudioAction.close)
        #expect(log.all == [5, 6])
        #expect(inner.state.editor?.counter.count == 6)
        token.cancel()
    }

    @Test
    func `also a slice that cannot be compared goes once`() async {
        struct Opaque: Sendable { var number = 0 }
        struct App: Sendable { var slice: Opaque? = Opaque() }
        struct Touch: Action {}
        struct Remove: Action {}
        let store = Store(App()) {
            Reduce { (app: inout App, _: Touch) in app.slice?.number += 1 }
            Reduce { (app: inout App, _: Remove) in app.slice = nil }
        }
        let slice = store.scoped(to: \.slice)
        let log = Log<Int?>()
        let token = slice.subscribe(.path(\.self)) { _, new in log.append(new?.number) }
        var values = slice.values(of: .path(\.self), buffering: every).makeAsyncIterator()
        store.dispatch(Touch())
        for _ in 1...3 { store.dispatch(Remove()) }
        #expect(log.all == [1, nil])
        var seen: [Int?] = []
        while let value = await values.next() { seen.append(value?.number) }
        #expect(seen == [0, 1, nil])
        token.cancel()
    }

    // MARK: Unwrapping

    @Test
    func `unwrapping gives a store only while there is something`() {
        let store = makeStudio()
        #expect(store.scoped(to: \.editor).unwrapped() == nil)
        #expect(store.scoped(to: .row(\.rows, id: 1)).unwrapped() == nil)
        store.dispatch(StudioAction.open(2))
        store.dispatch(StudioAction.put(Row(id: 1, count: 3)))
        #expect(store.scoped(to: \.editor).unwrapped()?.state == Counter(count: 2))
        #expect(store.scoped(to: .row(\.rows, id: 1)).unwrapped()?.state == Row(id: 1, count: 3))
    }

    @Test
    func `a typed address names an instance at any depth`() {
        struct Stop: Identifiable, Equatable, Sendable {
            let id: Int
            var counter = Counter()
        }
        struct Day: Identifiable, Equatable, Sendable {
            let id: String
            var stops: EntityTable<Stop> = [Stop(id: 1), Stop(id: 2)]
            var note: Counter?
        }
        struct Plan: Equatable, Sendable { var days: EntityTable<Day> = [] }
        struct App: Equatable, Sendable { var plan: Plan? = Plan() }
        let day = Feature<Day> {
            Scope(each: \.stops, Feature<Stop> { Scope(\.counter, counter) })
            Scope(\.note, counter)
        }
        let days: EntityTable<Day> = [Day(id: "a"), Day(id: "b", note: Counter())]
        let store = Store(App(plan: Plan(days: days))) {
            Scope(\.plan, Feature<Plan> { Scope(each: \.days, day) })
        }

        let stop: AddressPath<App> = .child(
            \.plan,
            then: .row(
                \.days, id: "b", then: .row(\.stops, id: 2, then: .child(\.counter))))
        #expect(stop.address == Address("plan/days/#b/stops/#2/counter"))
        store.dispatch(CounterAction.increment, to: stop)
        store.dispatch(
            CounterAction.increment,
            to: .child(\.plan, then: .row(\.days, id: "b", then: .child(\.note))))

        var expected = days
        expected[id: "b"]?.stops[id: 2]?.counter.count = 1
        expected[id: "b"]?.note?.count = 1
        #expect(store.state.plan?.days == expected)
    }

    @Test
    func `an unwrapped store goes on showing what was read last, in silence, and refuses`()
        async throws
    {
        let store = makeStudio(Studio(editor: Counter(count: 1), rows: [Row(id: 1)]))
        let editor = try #require(store.scoped(to: \.editor).unwrapped())
        let first = try #require(store.scoped(to: .row(\.rows, id: 1)).unwrapped())
        let counts = Recorder<Int>()
        let tokens = [
            editor.subscribe(\.count, counts.record), first.subscribe(\.count, counts.record),
        ]
        var values = editor.values(of: \.count, buffering: every).makeAsyncIterator()
        editor.dispatch(CounterAction.add(4))
        first.dispatch(CounterAction.increment)
        store.dispatch(StudioAction.close)
        store.dispatch(StudioAction.remove(1))
        #expect(counts.values == [5, 1])
        #expect(editor.state == Counter(count: 5))
        #expect(first.state == Row(id: 1, count: 1))
        #expect(editor.dispatch(CounterAction.increment) == .refused(.absent))
        #expect(first.dispatch(CounterAction.increment) == .refused(.absent))
        #expect([await values.next(), await values.next(), await values.next()] == [1, 5, nil])
        var late = editor.values(of: \.count).makeAsyncIterator()
        #expect([await late.next(), await late.next()] == [5, nil])
        store.dispatch(StudioAction.open(8))
        #expect(editor.state == Counter(count: 8))
        #expect(counts.values == [5, 1, 8])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `subscribers of one slice through several stores share one reading`() {
        let start = Studio.Editor(counter: Counter(count: 4))
        let store = makeStudio(Studio(rows: [Row(id: 1)], inner: Studio.Inner(editor: start)))
        var tokens: [Subscription] = []
        for _ in 0..<3 {
            let row = store.scoped(to: .row(\.rows, id: 1))
            tokens.append(row.subscribe(\.?.count) { _, _ in })
            let editor = store.scoped(to: \.inner).scoped(to: \.editor).unwrapped()
            tokens += [editor?.subscribe(\.counter.count) { _, _ in }].compactMap(\.self)
        }
        #expect(tokens.count == 6)
        // One group for the rows of the table; one for each store that goes on showing what it saw last,
        // which may be something else than another one saw.
        #expect(store.engine.withLock { $0.state.index.groups.count } == 4)
        let other = store.scoped(to: .row(\.rows, id: 2)).subscribe(\.?.count) { _, _ in }
        #expect(store.engine.withLock { $0.state.index.groups.count } == 4)
        withExtendedLifetime((tokens, other)) {}
    }

    @Test
    func
        `stores of rows are notified of their row, with the value they were delivered last as the old one`()
        throws
    {
        let store = makeStudio(Studio(rows: [Row(id: 1), Row(id: 2)]))
        let row = store.scoped(to: .row(\.rows, id: 1))
        let shown = try #require(store.scoped(to: .row(\.rows, id: 1)).unwrapped())
        let optional = Recorder<Int?>()
        let plain = Recorder<Int>()
        let parity = Recorder<Bool>()
        let tokens = [
            row.subscribe(\.?.count, initially: true, optional.record),
            shown.subscribe(\.count, initially: true, plain.record),
            shown.subscribe(.selecting { $0.count % 2 == 0 }, parity.record),
        ]
        for count in [1, 3, 3] { store.dispatch(StudioAction.put(Row(id: 1, count: count))) }
        store.dispatch(StudioAction.put(Row(id: 2, count: 9)))
        store.dispatch(StudioAction.remove(1))
        let late = shown.subscribe(\.count, initially: true, plain.record)
        late.cancel()
        store.dispatch(StudioAction.put(Row(id: 1, count: 3)))
        store.dispatch(StudioAction.put(Row(id: 1, count: 4)))
        #expect(optional.values == [0, 1, 3, nil, 3, 4])
        #expect(optional.changes.map(\.old) == [0, 0, 1, 3, nil, 3])
        #expect(plain.values == [0, 1, 3, 3, 4])
        #expect(plain.changes.map(\.old) == [0, 0, 1, 3, 3])
        #expect(parity.values == [false, true])
        #expect(shown.state.count == 4)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `scoped stores and their readers release each other`() {
        weak var engine: Engine?
        weak var editor: Store<Counter>?
        var late: StoreValues<Int>.Iterator?
        do {
            let store = makeStudio(Studio(editor: Counter(), rows: [Row(id: 1)]))
            engine = store.engine
            let child = store.scoped(to: \.editor).unwrapped()
            editor = child
            late = child?.values(of: \.count).makeAsyncIterator()
            let row = store.scoped(to: .row(\.rows, id: 1))
            let token = row.subscribe(\.?.count) { [weak row] _, _ in _ = row }
            row.dispatch(CounterAction.increment)
            withExtendedLifetime(token) {}
        }
        #expect(editor == nil)
        #expect(engine == nil)
        withExtendedLifetime(late) {}
    }
}
