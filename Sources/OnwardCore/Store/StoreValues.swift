// SPDX-License-Identifier: MIT

/// The values of something in a store, one after the other: the current one, then each change.
///
/// ```swift
/// for await score in store.values(of: \.score) { show(score) }
/// ```
///
/// The sequence ends when the store ends, or, for a store of an optional slice or a row, when the
/// slice that was there goes. A sequence doesn't keep its store alive.
///
/// Each iteration has a subscription of its own, from the call of `makeAsyncIterator` on. Cancelling
/// the task that waits for the next value, leaving the loop, or releasing the iterator, ends it at
/// once. Values come in version order; equal ones in a row are skipped where values can be compared.
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

    /// Begins an iteration, with the value that is current now.
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

        /// How many values were lost so far because they came faster than they were read.
        public var lost: Int { owner.feed.lost }

        /// The next value; nil when the sequence has ended or the task is cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        /// The next value; nil when the sequence has ended or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // Whether values between the last one and the next were lost or skipped, so that these two
            // have not been compared.
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
