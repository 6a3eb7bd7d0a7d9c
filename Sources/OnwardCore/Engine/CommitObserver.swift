// SPDX-License-Identifier: MIT

/// Reads every entry of a store's log: the extension point for journals, histories, statistics,
/// inspectors.
///
/// A store may have any number of observers. Each reads every commit, in commit order, one at a
/// time, outside the lock: usually on the thread that committed, before the subscribers of that
/// commit, even in a batch. While another thread is calling an observer, that thread also reads
/// what is committed in the meantime, and subscribers may come first.
///
/// Up to ``StoreLimits/waitingCommits`` commits may wait for an observer. Beyond that, a thread waits
/// before it commits the next one, unless it is calling an observer itself. So an observer must not
/// wait for a thread that dispatches, and observers of two stores must not dispatch to each other's
/// store. Two observers of one store that make each other catch up don't wait: that is reported as
/// `ProgrammerError.Kind.observersWaiting`.
public protocol CommitObserver<State>: Sendable {
    /// The state of the stores that it can observe.
    associatedtype State: Sendable

    /// What the observer needs besides the entry; read once, when it is attached.
    var needs: ObserverNeeds { get }

    /// Called with each commit.
    func observe(_ commit: Commit<State>)
}

extension CommitObserver {
    /// Nothing besides the entry.
    public var needs: ObserverNeeds { [] }
}

/// What a commit observer receives besides the entry; each option costs something per commit.
public struct ObserverNeeds: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The state before the commit.
    ///
    /// While it is held, arrays and other collections that copy as a whole are copied when the
    /// reducer changes them.
    public static let before = ObserverNeeds(rawValue: 1)
    /// The state after the commit.
    public static let after = ObserverNeeds(rawValue: 2)
    /// The wall-clock time; costs about 40 ns.
    ///
    /// It is read before the commit, so when several threads dispatch, an entry may be dated a
    /// little later than the next one.
    public static let time = ObserverNeeds(rawValue: 4)
    /// How long the reducers took, in real time, whatever the store's clock is; costs about 80 ns.
    public static let duration = ObserverNeeds(rawValue: 8)
}

/// The store's side of an attached observer.
final class ObserverRegistration: Listener, @unchecked Sendable {  // As `Listener` says.
    let needs: ObserverNeeds
    private let type: Any.Type
    private var body: (@Sendable (ErasedCommit) -> Void)?
    /// The engine that has it among its observers.
    private var engine: Engine?

    override var host: (any SubscriberHost)? { engine }

    init<O: CommitObserver>(_ observer: O, needs: ObserverNeeds) {
        self.needs = needs
        type = O.self
        body = { observer.observe(Commit($0, needs: needs)) }
        super.init()
    }

    /// The observer's type, for reports.
    var name: String { String(describing: type) }

    /// Takes its place; once, before anyone else knows it.
    func register(in engine: Engine, _ locked: borrowing Locked) {
        self.engine = engine
        locked.state.commitLog.add(self, after: locked.state.version)
    }

    /// Notifies the observer, unless it was cancelled.
    func observe(_ commit: ErasedCommit, _ thread: UInt) {
        guard begin(thread) else { return }
        body?(commit)
        end(thread)
    }

    override func release() {
        body = nil
    }

    override func leave(_ host: any SubscriberHost, _ locked: borrowing Locked) -> [Any?] {
        engine = nil
        return [locked.state.commitLog.remove(self)]
    }
}
