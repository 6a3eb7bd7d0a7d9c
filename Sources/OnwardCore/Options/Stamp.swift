// SPDX-License-Identifier: MIT

internal import Synchronization

/// What comes with an action for a reducer that asks for it: new ids, the time, who did it.
///
/// ```swift
/// Reduce { (list: inout List, action: ListAction, stamp) in
///     switch action {
///     case .add(let title):
///         list.items.append(Item(id: stamp.id(), title: title, created: stamp.time, by: stamp.author))
///     …
/// ```
///
/// It is drawn when the action is dispatched, outside the store's lock, and recorded with its entry. So the reducer stays
/// pure: a replay, a replica and a test made of a session get the same ids and the same time. All reducers of an
/// action share one stamp; those of several rows draw their ids from it one after the other.
public final class Stamp {
    private enum IDs {
        /// New ones, of which the numbers are noted.
        case counted(IDSource)
        /// Those that were noted.
        case noted(ArraySlice<UInt64>)
        case random(RandomSource)
    }

    private let seed: UInt64
    private var ids: IDs
    private var numbers: [UInt64] = []
    /// What it was made of, if it is that of an entry.
    private let given: EntryStamp?
    /// When the action was dispatched, by the store's wall clock.
    public let time: Timestamp
    /// Who dispatched it: ``ActionAuthor/current`` at that moment; nil if nobody was named.
    public let author: String?

    /// A stamp for an action that is dispatched now.
    package init(from source: IDSource?, at time: Timestamp, by author: String?) {
        if let source, source.isNumbered {
            (seed, ids) = (0, .counted(source))
        } else {
            seed = source?.nextSeed() ?? .random(in: .min ... .max)
            ids = .random(RandomSource(seed: seed))
        }
        (self.time, self.author, given) = (time, author, nil)
    }

    /// The stamp of an entry once more.
    package init(_ entry: EntryStamp) {
        seed = entry.seed
        ids = entry.numbers.isEmpty ? .random(RandomSource(seed: seed)) : .noted(entry.numbers[...])
        (time, author, given) = (entry.time, entry.author, entry)
    }

    /// The next id of this action.
    ///
    /// - Complexity: O(1).
    public func id() -> UniqueID {
        switch ids {
        case .counted(let source):
            let number = source.nextNumber()
            numbers.append(number)
            return UniqueID(number: number)
        case .noted(var rest):
            guard let number = rest.popFirst() else {
                // The reducers of today draw more than those that were recorded.
                ids = .random(RandomSource(seed: seed))
                return id()
            }
            ids = .noted(rest)
            return UniqueID(number: number)
        case .random(let random): return UniqueID(random.next(), random.next())
        }
    }

    /// What is recorded.
    package var recorded: EntryStamp {
        given
            ?? EntryStamp(seed: seed, numbers: numbers, time: time, author: author)
    }
}

/// In whose name actions are dispatched, for reducers that ask for a ``Stamp``.
///
/// ```swift
/// ActionAuthor.$current.withValue(session.user) { store.dispatch(BoardAction.add("Milk")) }
/// ```
public enum ActionAuthor {
    /// The author of what the current task dispatches; nil if nobody is named.
    ///
    /// It is asked when an action is dispatched. What a subscriber or an effect dispatches in answer has no author unless
    /// it names one, whoever's thread calls it.
    @TaskLocal public static var current: String?

    /// Whether any store of the program asks for authors; where none does, notifying need not look.
    private static let isAsked = Atomic(false)

    /// To be called before a store asks.
    static func noteUse() {
        if !isAsked.load(ordering: .relaxed) { isAsked.store(true, ordering: .relaxed) }
    }

    /// Calls code that acts for nobody, although it is called from somebody's task.
    @inline(__always)
    static func withNone<R>(_ body: () -> R) -> R {
        guard isAsked.load(ordering: .relaxed), current != nil else { return body() }
        return $current.withValue(nil, operation: body)
    }
}
