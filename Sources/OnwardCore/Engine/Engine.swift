// SPDX-License-Identifier: MIT

/// The heart of a store: the only place where an action meets a reducer.
///
/// It knows no types. The state is memory that was initialised with one value of the root type and
/// always holds one; actions come as pointers together with their type. The typed shells around it
/// (`Store`, `Registration`, `Getter`) are the only ones that make such pointers. So there is
/// one compiled core for all apps, and no metadata look-up, cast or box on an action's way.
///
/// Only reducers and copies of stored values run under the lock; selections, comparisons, observers, middleware and
/// subscribers are called after it was freed.
///
/// What its lock protects is one ``EngineState``.
@usableFromInline
package final class Engine: LockedStorage, Dispatcher, SubscriberHost, @unchecked Sendable {
    package let options: StoreOptions
    package var clock: any Clock<Duration> { options.clock }
    /// What the thread that holds the turn is notifying of.
    let round = Round()

    init<State>(_ state: State, options: StoreOptions, features: CompiledFeatures) {
        self.options = options
        let memory = UnsafeMutablePointer<EngineState>.allocate(capacity: 1)
        memory.initialize(
            to: EngineState(
                state, features: features, limits: options.limits))
        super.init(memory)
    }

    deinit {
        memory.assumingMemoryBound(to: EngineState.self).deinitialize(count: 1)
        memory.deallocate()
    }

    // MARK: The lock and reducers

    /// Runs `body` under the lock, for something that must not happen inside a reducer; nil there, with a
    /// report.
    @inline(__always)
    func withLockUnlessReducing<Result: ~Copyable>(
        as use: ProgrammerError.UseInsideReducer = .read, _ body: (borrowing Locked) -> Result
    ) -> Result? {
        let thread = CurrentThread.id
        guard !isReducing(thread) else {
            reportReading(as: use)
            return nil
        }
        return withLock(as: thread, body)
    }

    /// Runs `body` under the lock, for something that inside a reducer is a mistake, but one that has an
    /// answer.
    package func whole<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        if isInsideReducer { reportReading() }
        return withLockAnywhere(body)
    }

    /// Runs `body` under the lock, for something that reads the state; stops the program inside a reducer,
    /// where there is no whole state to read.
    @inlinable
    package func reading<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        finish(acquireForReading(), body)
    }

    @usableFromInline
    func acquireForReading() -> Locked {
        if isInsideReducer {
            reportReading()
            preconditionFailure(ProgrammerError.readInsideReducer(stateName).description)
        }
        return acquireHere()
    }

    @inline(never)
    func reportReading(as use: ProgrammerError.UseInsideReducer = .read) {
        options.report(.readInsideReducer(stateName, use))
    }

    private var stateName: String { withLockAnywhere { $0.state.stateType.name } }
}
