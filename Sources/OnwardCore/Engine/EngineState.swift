// SPDX-License-Identifier: MIT

/// Everything of an engine that its lock protects.
///
/// A reducer may cancel subscriptions of its own store, so what is here changes while it runs. Therefore the
/// state is borrowed for one access at a time: `Locked.state` is the only way to it.
struct EngineState: ~Copyable {
    let stateType: ValueType
    /// The state of the app: memory that always holds one value of the root type.
    let root: UnsafeMutableRawPointer
    let index = SubscriptionIndex()

    /// The features; `routes` is its table, for a look-up that counts no references.
    var features: CompiledFeatures {
        didSet {
            routes = features.routes
            stageCount = features.stages.count
        }
    }
    private(set) var routes: RouteTable
    private(set) var stageCount: Int
    var version: CommitVersion = 0
    /// Whose turn it is to notify.
    var turn: Turn
    /// The groups that have commits to be notified of.
    var marked: [SubscriberGroup] = []
    /// What attachments have to do for these commits.
    var waitingParts: [PendingPart] = []
    /// How many values subscribers have not been notified of, as later ones came before their turn.
    var skippedValues: UInt64 = 0
    /// The version that the last round has shown.
    var notified: CommitVersion = 0
    /// Chains that nothing refers to any more, to be released outside the lock.
    var droppedChains: [DispatchChain] = []
    /// What observers have yet to read.
    var commitLog: CommitLog
    /// Where each action that is reduced for observers is noted first.
    var reductionMark: ReductionMark?
    var gates = CommitGateChain() { didSet { updateSpecial() } }
    /// How many actions found no reducer because a slice or a row was absent.
    var absences: UInt64 = 0
    /// What checks have refused.
    var refusals = RefusalLog()
    /// The deliveries and mailboxes at work; while there are any, dispatches may be nested.
    var callbacksInProgress = 0
    /// Whether actions are refused, as the store ends or has ended.
    var isClosed = false { didSet { updateSpecial() } }
    /// How many participants want to learn of every action.
    var attention = 0 { didSet { updateSpecial() } }
    /// Whether there is a gate, an end, or a participant to look after.
    private var isSpecial = false
    /// The tasks that wait for rest.
    var idlers: [CheckedContinuation<Void, Never>] = []
    var deliveryWaiters = DeliveryWaiters()
    /// What is called when the store ends, by the object that it is for; nil when it has ended, which may be a while
    /// after it was closed.
    var endings: [ObjectIdentifier: Ending]? = [:]
    /// How many there have been.
    var endingCount: UInt64 = 0
    var mailboxes = MailboxTable()
    var attachments = AttachmentList()
    /// Whether those that subscribe from here on are measured.
    var metersSubscribers = false

    init<State>(_ state: State, features: CompiledFeatures, limits: StoreLimits) {
        self.features = features
        routes = features.routes
        stageCount = features.stages.count
        // A chain of answers is made to its end, so that its first dispatch returns when it is over.
        turn = Turn(mostRounds: limits.generations + 1)
        commitLog = CommitLog(limit: limits.waitingCommits)
        stateType = TypedValue<State>()
        root = withUnsafePointer(to: state) { TypedValue<State>().copy($0) }
    }

    deinit {
        stateType.destroy(root)
        root.deallocate()
    }

    /// Whether a commit needs no more than its reducers and its watchers.
    var isPlain: Bool {
        callbacksInProgress == 0 && !commitLog.hasReaders && !isSpecial
    }

    /// Whether a commit needs no more than that and perhaps an entry for observers, with its time.
    var isPlainButLogged: Bool {
        guard !isPlain else { return true }
        return callbacksInProgress == 0 && !isSpecial && reductionMark == nil
            && commitLog.needs.isSubset(of: .time) && !commitLog.isFull
    }

    /// Whether nothing is being notified or read, and nothing waits to be.
    var isAtRest: Bool { callbacksInProgress == 0 && !turn.isWaiting && commitLog.isRead }

    /// The version up to which all has been notified, to observers and subscribers.
    var notifiedUpTo: CommitVersion {
        let toSubscribers = turn.isHeld || turn.isWaiting ? notified : version
        guard let unread = commitLog.oldestUnread else { return toSubscribers }
        return min(toSubscribers, unread - 1)
    }

    private mutating func updateSpecial() {
        isSpecial = !gates.isEmpty || isClosed || attention > 0
    }
}

extension Locked {
    /// What the lock of an engine protects, for one access.
    ///
    /// No longer, as a reducer may cancel subscriptions of its own store.
    var state: EngineState {
        @inline(__always) _read { yield pointer.pointee }
        @inline(__always) nonmutating _modify { yield &pointer.pointee }
    }

    private var pointer: UnsafeMutablePointer<EngineState> {
        @inline(__always) get { memory.assumingMemoryBound(to: EngineState.self) }
    }
}

// What the layers above ask for. All is computed: a stored property that they could reach themselves would be checked
// for exclusive access, which is a good part of a plain commit.
extension Locked {
    @usableFromInline
    package var version: CommitVersion { state.version }

    /// Whether actions are refused, as the store ends or has ended.
    package var isClosed: Bool { state.isClosed }

    /// Whether nothing is being delivered and nothing waits to be.
    package var isAtRest: Bool { state.isAtRest }

    /// Whether the store is live or travelled.
    package var gateState: CommitGateState { state.gates.state }

    /// Where the state of the app lies.
    package var root: UnsafeMutableRawPointer { state.root }

    /// Where the value of a getter without `derive` lies.
    @usableFromInline
    package func address(at offset: Int) -> UnsafeRawPointer {
        UnsafeRawPointer(state.root + offset)
    }

    /// A copy of the state of the app.
    func copyState() -> ValueCopy { ValueCopy(of: state.root, state.stateType) }
}
