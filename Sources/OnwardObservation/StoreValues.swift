// SPDX-License-Identifier: MIT

internal import DequeModule
public import OnwardCore

/// The values of something in a store, one after another: the current one, then each change.
///
/// ```swift
/// for await score in store.values(of: \.score) { show(score) }
/// ```
///
/// The sequence ends when the store ends, or, for a store of an optional slice or a row, when the
/// slice goes away. A sequence doesn't keep its store alive.
///
/// Each iteration has its own subscription, from the call of `makeAsyncIterator` on. Cancelling the
/// task that waits for the next value, leaving the loop, or releasing the iterator ends the
/// iteration at once. Values arrive in version order; equal values in a row are skipped if values
/// can be compared.
public struct StoreValues<Element: Sendable>: AsyncSequence, Sendable {
    /// A sequence of values never fails.
    public typealias Failure = Never

    private let buffering: Buffering
    private let isSame: Change.IsSame?
    private let start: @Sendable (ValueFeed<Element>) -> Void

    /// A sequence whose iterations `start` subscribes, each with a feed of its own.
    init(
        _ buffering: Buffering, isSame: Change.IsSame?,
        start: @escaping @Sendable (ValueFeed<Element>) -> Void
    ) {
        self.buffering = buffering
        self.isSame = isSame
        self.start = start
    }

    /// Begins an iteration, starting with the current value.
    public func makeAsyncIterator() -> Iterator {
        let feed = ValueFeed<Element>(buffering)
        start(feed)
        return Iterator(feed, isSame: isSame)
    }

    /// One iteration over the values.
    public struct Iterator: AsyncIteratorProtocol {
        private let owner: FeedOwner
        private let isSame: Change.IsSame?
        private var last: Element?

        /// Ends the subscription when the last copy of the iterator goes.
        private final class FeedOwner {
            let feed: ValueFeed<Element>

            init(_ feed: ValueFeed<Element>) { self.feed = feed }

            deinit { feed.cancel() }
        }

        fileprivate init(_ feed: ValueFeed<Element>, isSame: Change.IsSame?) {
            owner = FeedOwner(feed)
            self.isSame = isSame
        }

        /// How many values were lost so far because they arrived faster than they were read.
        public var lost: Int { owner.feed.lost }

        /// The next value; nil when the sequence has ended or the task is cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        /// The next value; nil when the sequence has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // Whether values between the last one and the next were lost or skipped, so that these
            // two have not been compared.
            var isAfterGap = false
            while let item = await owner.feed.next(isolation: actor) {
                isAfterGap = isAfterGap || item.isAfterGap
                if isAfterGap, let last, isRepeat(last, item.value) { continue }
                if isSame != nil { last = item.value }
                return item.value
            }
            last = nil
            return nil
        }

        private func isRepeat(_ last: Element, _ next: Element) -> Bool {
            guard let isSame else { return false }
            return withUnsafePointer(to: last) { last in
                withUnsafePointer(to: next) { isSame(UnsafeRawPointer(last), UnsafeRawPointer($0)) }
            }
        }
    }
}

/// What a sequence of values keeps for a reader that is slower than the store.
///
/// Whatever is kept, values arrive in version order, and no value is followed by an equal one if
/// values can be compared.
public enum Buffering: Sendable, Hashable {
    /// Only the newest value: a slow reader skips the values that it missed.
    case latest
    /// The value after every commit, up to a limit of waiting values; a batch counts as one commit.
    ///
    /// - Parameters:
    ///   - limit: How many values may wait, at least 1.
    ///   - onOverflow: Which value is dropped when one more arrives.
    case every(limit: Int, onOverflow: Overflow)

    /// Which value is dropped when a buffer is full.
    public enum Overflow: Sendable, Hashable {
        /// The value that waited longest; the reader ends with the current value.
        case dropOldest
        /// The value that arrived last; the reader gets an unbroken beginning, and may miss the
        /// current value until the next change.
        case dropNewest
    }
}

/// The values that wait for the reader of a sequence: a pure machine.
struct ValueBuffer<Value: Sendable>: Sendable {
    /// A value to be read.
    struct Item: Sendable {
        let value: Value
        /// Whether values right before it were lost, so that it may equal the one that was read
        /// last.
        var isAfterGap: Bool
    }

    private var waiting = Deque<Item>()
    private let limit: Int
    private let overflow: Buffering.Overflow
    /// Whether the values that came last were lost.
    private var endsInGap = false
    /// How many values were lost because the reader was slow.
    private(set) var lost = 0

    init(_ buffering: Buffering) {
        switch buffering {
        case .latest: (limit, overflow) = (1, .dropOldest)
        case .every(let limit, let overflow):
            (self.limit, self.overflow) = (max(limit, 1), overflow)
        }
    }

    /// Adds a value; returns the one that is lost, to be released outside any lock.
    mutating func offer(_ value: Value) -> Value? {
        guard waiting.count == limit else {
            waiting.append(Item(value: value, isAfterGap: endsInGap))
            endsInGap = false
            return nil
        }
        lost += 1
        switch overflow {
        case .dropNewest:
            endsInGap = true
            return value
        case .dropOldest:
            let oldest = waiting.removeFirst()
            waiting.append(Item(value: value, isAfterGap: false))
            waiting[0].isAfterGap = true
            return oldest.value
        }
    }

    /// Takes the oldest value.
    mutating func take() -> Item? { waiting.popFirst() }

    /// Gives away what waits, to be released outside any lock.
    mutating func takeContents() -> [Item] {
        defer { waiting = [] }
        return Array(waiting)
    }
}

/// The shell around `ValueBuffer`: passes the values of one subscription to the iterating task.
///
/// Everything mutable is guarded by `lock`; nothing is called, and no value is released, under
/// it.
@usableFromInline
final class ValueFeed<Value: Sendable>: @unchecked Sendable {
    private enum Phase {
        case open
        /// Nothing more comes; what waits can still be read.
        case finished
        /// There is no reader any more.
        case cancelled
    }

    private let lock = Lock()
    private var buffer: ValueBuffer<Value>
    private var reader: CheckedContinuation<ValueBuffer<Value>.Item?, Never>?
    private var phase = Phase.open
    private var atEnd: (@Sendable () -> Void)?

    /// What the store keeps for a reader that takes every value; nil for one that takes the latest.
    let every: EveryCommit?

    init(_ buffering: Buffering) {
        buffer = ValueBuffer(buffering)
        switch buffering {
        case .latest: every = nil
        case .every(let limit, let overflow):
            every = EveryCommit(limit: limit, keepsOldest: overflow == .dropNewest)
        }
    }

    /// How many values were lost because the reader was slow.
    var lost: Int { lock.withLock { buffer.lost } + (every?.lost ?? 0) }

    /// Whether a reader waits for a value.
    var isAwaited: Bool { lock.withLock { reader != nil } }

    /// Takes a value of the store.
    func offer(_ value: Value) {
        var reader: CheckedContinuation<ValueBuffer<Value>.Item?, Never>?
        var item: ValueBuffer<Value>.Item?
        let lost = lock.withLock {
            guard phase == .open else { return nil as Value? }
            let lost = buffer.offer(value)
            swap(&reader, &self.reader)
            // Through the buffer, which knows whether values before this one were lost.
            if reader != nil { item = buffer.take() }
            return lost
        }
        reader?.resume(returning: item)
        withExtendedLifetime(lost) {}
    }

    /// The next value; nil after the last one.
    func next(isolation: isolated (any Actor)?) async -> ValueBuffer<Value>.Item? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var item: ValueBuffer<Value>.Item?
                let mustWait = lock.withLock {
                    item = buffer.take()
                    guard item == nil, phase == .open, reader == nil else { return false }
                    reader = continuation
                    return true
                }
                if !mustWait { continuation.resume(returning: item) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Calls `body` once, at the end of the feed, or at once if the feed has ended.
    func atEnd(_ body: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if phase == .open { atEnd = body }
            return phase != .open
        }
        if isLate { body() }
    }

    /// Ends the feed; what waits can still be read.
    func finish() { end(in: .finished) }

    /// Ends the feed; what waits is not read.
    func cancel() { end(in: .cancelled) }

    private func end(in next: Phase) {
        var reader: CheckedContinuation<ValueBuffer<Value>.Item?, Never>?
        var atEnd: (@Sendable () -> Void)?
        let unread = lock.withLock {
            if phase == .open || next == .cancelled { phase = next }
            swap(&reader, &self.reader)
            swap(&atEnd, &self.atEnd)
            return next == .cancelled ? buffer.takeContents() : []
        }
        atEnd?()
        reader?.resume(returning: nil)
        withExtendedLifetime(unread) {}
    }
}

extension Store {
    /// The values at a key path, one after another: the current one, then each change.
    ///
    /// Reading costs what
    /// ``subscribe(_:initially:isolation:file:line:_:)-(KeyPath<State,Value>Sendable,_,_,_,_,_)``
    /// costs, plus a hop to the reading task.
    ///
    /// - Parameters:
    ///   - path: The value to read.
    ///   - buffering: What to keep for a reader that is slower than the store.
    ///   - file: The source file, for inspectors.
    ///   - line: The source line, for inspectors.
    /// - Returns: A sequence that ends with the store, or with the store's slice.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest,
        file: String = #fileID, line: Int = #line
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: Self.equal(Value.self)) { store, every, notify in
            store.subscribe(
                .path(path), initially: true, every: every,
                from: ActionOrigin(file: file, line: line)
            ) { _, new in notify(new) }
        }
    }

    /// The values of a selection, one after another: the current one, then each change.
    ///
    /// Each iteration is a subscriber of the selection.
    ///
    /// - Parameters:
    ///   - selection: The value to read; `.path(\.self)` is the whole state.
    ///   - buffering: What to keep for a reader that is slower than the store.
    ///   - file: The source file, for inspectors.
    ///   - line: The source line, for inspectors.
    /// - Returns: A sequence that ends with the store, or with the store's slice.
    /// - Complexity: that of the selection, plus a hop to the reading task.
    @inlinable
    public func values<Value: Sendable>(
        of selection: Selection<State, Value>, buffering: Buffering = .latest,
        file: String = #fileID, line: Int = #line
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: selection.isSame) { store, every, notify in
            store.subscribe(
                selection, initially: true, every: every, from: ActionOrigin(file: file, line: line)
            ) { _, new in notify(new) }
        }
    }

    /// A sequence of values, each iteration of which `subscribe` begins, from the current value on.
    @usableFromInline
    package func sequence<Value: Sendable>(
        _ buffering: Buffering, isSame: Change.IsSame?,
        subscribe:
            @escaping @Sendable (
                _ store: Store<State>, _ every: EveryCommit?,
                _ notify: @escaping @Sendable (Value) -> Void
            ) -> Subscription
    ) -> StoreValues<Value> {
        StoreValues(buffering, isSame: isSame) { [store = borrowed] feed in
            let engine = store.engine
            let isOpen = engine.atEnd(of: feed) { feed.finish() }
            let wasPresent = store.presence.map { engine.read($0.isPresent) } ?? true
            // The first call comes at once, even when the store has ended.
            let token = subscribe(store, feed.every) { feed.offer($0) }
            // After it, so that what the last commit notified is in the feed when the feed ends.
            let end = store.presence?.atEnd(in: engine, wasPresent: wasPresent) { feed.finish() }
            feed.atEnd {
                token.cancel()
                end?.cancel()
                engine.forgetEnd(of: feed)
            }
            if !isOpen { feed.finish() }
        }
    }
}
