// SPDX-License-Identifier: MIT

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
    func observe(_ commit: ErasedCommit) {
        guard begin() else { return }
        body?(commit)
        end()
    }

    override func release() {
        body = nil
    }

    override func leave(_ host: any SubscriberHost, _ locked: borrowing Locked) -> [Any?] {
        engine = nil
        return [locked.state.commitLog.remove(self)]
    }
}
