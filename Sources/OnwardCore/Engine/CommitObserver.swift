// SPDX-License-Identifier: MIT

/// Reads every entry of a store's log: the extension point for journals, histories, statistics, inspectors.
///
/// A store may have any number. Each reads every commit, in the order of the commits, one at a time, outside the
/// lock: mostly on the thread that committed, before the subscribers of that commit, in a batch too. While another
/// thread is calling an observer, that one goes on with what is committed meanwhile, and subscribers may come first.
///
/// So many commits as ``Limits/waitingCommits`` says may wait for an observer. Then a thread waits before it
/// commits the next one, unless an observer is being called on it. So an observer must not wait for a thread that
/// dispatches, nor may observers of two stores dispatch to each other's store.
public protocol CommitObserver<State>: Sendable {
    /// The state of the stores it can observe.
    associatedtype State: Sendable

    /// What it needs besides the entry; read once, when it is attached.
    var needs: ObserverNeeds { get }

    /// Takes note of a commit.
    func observe(_ commit: Commit<State>)
}

extension CommitObserver {
    /// Nothing besides the entry.
    public var needs: ObserverNeeds { [] }
}

/// What a commit observer is given besides the entry; each costs something per commit.
public struct ObserverNeeds: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// A set by its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The state before the commit.
    ///
    /// While it is held, arrays and other whole-copied collections that the reducer changes are
    /// copied.
    public static let before = ObserverNeeds(rawValue: 1)
    /// The state after the commit.
    public static let after = ObserverNeeds(rawValue: 2)
    /// The wall-clock time, about 40 ns.
    ///
    /// It is asked for before the commit, so where several threads dispatch, an entry may be dated a
    /// little later than the next one.
    public static let time = ObserverNeeds(rawValue: 4)
    /// How long the reducers took, about 80 ns; real time, whatever the store's clock is.
    public static let duration = ObserverNeeds(rawValue: 8)
}

/// The store's side of an attached observer.
final class ObserverRegistration: Listener, @unchecked Sendable {  // As `Listener` says.
    let needs: ObserverNeeds
    private var body: (@Sendable (ErasedCommit) -> Void)?
    /// The engine that has it among its observers.
    private var engine: Engine?

    override var host: (any SubscriberHost)? { engine }

    init<O: CommitObserver>(_ observer: O, needs: ObserverNeeds) {
        self.needs = needs
        body = { observer.observe(Commit($0, needs: needs)) }
        super.init()
    }

    /// Takes its place; once, before anyone else knows it.
    func register(in engine: Engine, _ locked: borrowing Locked) {
        self.engine = engine
        locked.state.commitLog.add(self, after: locked.state.version)
    }

    /// Notifies the observer, unless it was cancelled.
    func observe(_ commit: ErasedCommit, _ thread: UInt) {
        let isAlone = beginAlone(thread)
        guard isAlone || begin() else { return }
        body?(commit)
        isAlone ? endAlone(thread) : end()
    }

    override func release() {
        body = nil
    }

    override func leave(_ host: any SubscriberHost, _ locked: borrowing Locked) -> [Any?] {
        engine = nil
        return [locked.state.commitLog.remove(self)]
    }
}
