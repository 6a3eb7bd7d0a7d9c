// SPDX-License-Identifier: MIT

/// What a store takes from its environment.
///
/// Everything that other libraries keep in global variables belongs to a single store here, so that
/// several stores, parallel tests and servers don't affect each other.
public struct StoreOptions: Sendable {
    /// The clock on which timers run.
    ///
    /// Never called under the store's lock, where the time of reducers is measured on the system's
    /// clock.
    public var clock: any Clock<Duration>
    /// The wall clock that dates entries for observers that ask for the time.
    ///
    /// Called outside the lock, before the commit: if threads commit at the same moment, a later
    /// entry may be dated a little earlier.
    public var wallClock: @Sendable () -> Timestamp
    /// Called with programmer errors, on the thread that made the mistake.
    ///
    /// A mistake inside a reducer is reported from there, while that store is locked: the closure
    /// must not use the store. When it returns, the store continues in a valid state and refuses
    /// what was asked; only what has no valid answer still stops the program, such as a read from
    /// inside a reducer, or a selector that reads itself.
    ///
    /// Without it, a debug build stops, except for ``ProgrammerError/Kind/passedReducer``, which may be
    /// intended; a release build writes the message to standard error and continues.
    public var onProgrammerError: (@Sendable (ProgrammerError) -> Void)?
    /// How far loops and queues may go.
    public var limits: StoreLimits
    /// What layers above the core take, by the keys that they declare.
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The options of a program in production.
    @usableFromInline
    package init() {
        clock = ContinuousClock()
        wallClock = Timestamp.now
        limits = StoreLimits()
    }

    /// Reports a mistake.
    package func report(_ mistake: ProgrammerError) {
        if let onProgrammerError { onProgrammerError(mistake) } else { mistake.complain() }
    }

    /// What a layer above the core takes from the environment.
    package subscript<Key: StoreOptionKey>(_ key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Names something that a layer above the core takes from a store's environment.
package protocol StoreOptionKey {
    associatedtype Value: Sendable
    /// The value unless a client chooses another.
    static var defaultValue: Value { get }
}

/// How far a store lets loops and queues go.
public struct StoreLimits: Sendable, Hashable {
    /// How many times a subscriber may dispatch in answer to a dispatch of a subscriber.
    public var generations: Int
    /// How many dispatches may follow from one dispatch in total, when subscribers answer answers,
    /// perhaps several times each, or middlewares dispatch from inside middlewares.
    public var answers: Int
    /// How deep dispatches of middlewares may be nested.
    public var middlewareDepth: Int
    /// How many commits may wait for a slow observer before threads wait for it.
    public var waitingCommits: Int
    /// The limits of layers above the core, by the keys that they declare.
    private var values: [ObjectIdentifier: Int] = [:]

    /// How many answers a chain may have in total; at least as many as it may be long.
    var allAnswers: Int { max(answers, generations) }

    /// Makes limits, by default those of the contract.
    public init(
        generations: Int = 1_000, answers: Int = 100_000, middlewareDepth: Int = 100,
        waitingCommits: Int = 4_096
    ) {
        self.generations = generations
        self.answers = answers
        self.middlewareDepth = middlewareDepth
        self.waitingCommits = waitingCommits
    }

    /// A limit of a layer above the core.
    package subscript<Key: LimitKey>(_ key: Key.Type) -> Int {
        get { values[ObjectIdentifier(key)] ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Names a limit of a layer above the core.
package protocol LimitKey {
    /// The value unless a client chooses another.
    static var defaultValue: Int { get }
}
