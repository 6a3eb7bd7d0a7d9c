// SPDX-License-Identifier: MIT

/// One commit as an observer gets it.
public struct Commit<State: Sendable>: Sendable {
    /// What is written into the log.
    public let entry: Entry
    /// The state before it; nil unless asked for with ``ObserverNeeds/before``.
    public let before: State?
    /// The state after it; nil unless asked for with ``ObserverNeeds/after``.
    public let after: State?

    init(_ commit: ErasedCommit, needs: ObserverNeeds) {
        func read(_ copy: ValueCopy?) -> State? {
            copy?.withPointer { $0.assumingMemoryBound(to: State.self).pointee }
        }
        entry = commit.entry
        before = needs.contains(.before) ? read(commit.before) : nil
        after = needs.contains(.after) ? read(commit.after) : nil
    }
}

/// A commit without the state's type.
final class ErasedCommit: Sendable {
    let entry: Entry
    let before: ValueCopy?
    let after: ValueCopy?

    init(_ entry: Entry, before: ValueCopy?, after: ValueCopy?) {
        self.entry = entry
        self.before = before
        self.after = after
    }
}

/// The store's side of an attached observer.
final class ObserverRegistration: Listener, @unchecked Sendable {  // As `Listener` says.
    let needs: ObserverNeeds
    private var body: (@Sendable (ErasedCommit) -> Void)?
    /// The engine that has it among its observers.
    private var home: Engine?

    override var engine: Engine? { home }

    init<O: CommitObserver>(_ observer: O, needs: ObserverNeeds) {
        self.needs = needs
        body = { observer.observe(Commit($0, needs: needs)) }
        super.init()
    }

    /// Takes its place; once, before anyone else knows it.
    func register(in engine: Engine, _ locked: borrowing Locked) {
        home = engine
        locked.state.observers.append(self)
    }

    /// Tells the observer, unless it was cancelled.
    func observe(_ commit: ErasedCommit) {
        guard begin() else { return }
        body?(commit)
        end()
    }

    override func release() {
        body = nil
    }

    override func leave(_ engine: Engine, _ locked: borrowing Locked) -> [Any?] {
        locked.state.observers.remove(self)
        home = nil
        return []
    }
}
