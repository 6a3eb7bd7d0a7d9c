// SPDX-License-Identifier: MIT

/// All handlers of one type of action, in their order, and what must be notified when they have run.
///
/// The handlers never change; the watching groups, and the places that were bypassed, belong to the
/// engine and are used under its lock.
package final class Route: @unchecked Sendable {
    let type: any Action.Type
    /// The name of the type in UTF-8, made when it is first asked for, under the engine's lock.
    private(set) lazy var name = Array(type.actionName.utf8)
    private let handlers: [Handler]
    /// What runs after the handlers and what their parents add.
    private let endings: [Handler]
    /// What the parents of the handlers add, after all reducers.
    private let childReducers: [ChildReducer]
    /// The parents that such an action may silently bypass.
    ///
    /// Unchecked, as the watchers.
    @exclusivity(unchecked) private var bypassedReducers: BypassedReducers
    /// What responds to such an action.
    package let responders: [Responder]
    /// What may refuse such an action before its reducers run.
    private let checkers: [Checker]
    /// Whether a reducer wants the stamp of such an action.
    let asksForStamp: Bool
    /// Whether there are such, each for an instance that lives as long as its store, and none takes the state.
    package let hasLastingResponders: Bool
    /// Whether a commit has only to reduce and to notify.
    ///
    /// Unchecked, as the watchers.
    @exclusivity(unchecked) private(set) var isPlain: Bool
    /// The reducer when there is exactly one, at a constant place: the case to be fast for.
    ///
    /// Kept alive by `handlers`, and not counted, which would be a quarter of a plain commit.
    private let only: Unmanaged<Handler>?
    private let onlyOffset: Int

    /// The groups to be asked, and a few that are gone, which is harmless.
    ///
    /// Unchecked, as the lock does what a check of exclusive access would only do again: here and in `bypassedReducers`
    /// that would be a good part of a plain commit.
    @exclusivity(unchecked) private(set) var watchers: [SubscriberGroup] = []
    @exclusivity(unchecked) private var watchersRevision: UInt64 = 0
    /// How many of the watchers are gone, at most.
    private var goneCount = 0

    init(
        type: any Action.Type, handlers: [Handler], childReducers: [ChildReducer] = [],
        bypassedReducers: BypassedReducers = BypassedReducers(among: [], []),
        responders: [Responder] = [], checkers: [Checker] = []
    ) {
        self.type = type
        self.handlers = handlers.filter { $0.turn != .after }
        endings = handlers.filter { $0.turn == .after }
        self.childReducers = childReducers
        self.bypassedReducers = bypassedReducers
        self.responders = responders
        self.checkers = checkers
        asksForStamp =
            handlers.contains { $0.asksForStamp } || childReducers.contains { $0.asksForStamp }
        hasLastingResponders =
            !responders.isEmpty
            && responders.allSatisfy { $0.lens.finder == nil && !$0.takesState }
        let hasOne = handlers.count == 1 && handlers[0].offset >= 0 && childReducers.isEmpty
        only = hasOne ? .passUnretained(handlers[0]) : nil
        onlyOffset = hasOne ? handlers[0].offset : 0
        isPlain = responders.isEmpty && bypassedReducers.lenses.isEmpty
    }

    /// Whether a commit has more to do than to reduce, to notify, and to be responded to for such instances.
    var needsCare: Bool {
        !responders.isEmpty && !hasLastingResponders || !checkers.isEmpty || asksForStamp
    }

    /// Whether an action at an address passes no parent by.
    @inline(__always)
    func isReached(at address: Address, _ locked: borrowing Locked) -> Bool {
        bypassedReducers.lenses.isEmpty || noteReached(at: address)
    }

    /// Notes that all parents are reached, where an action is for everything.
    @inline(never)
    private func noteReached(at address: Address) -> Bool {
        guard address.components.isEmpty else { return false }
        _ = noteBypassing(address)
        return true
    }

    /// The way to a parent whose reducer an action passed by, for the first time.
    func passedParent(to address: Address, _ locked: borrowing Locked) -> [PathStep]? {
        bypassedReducers.lenses.isEmpty ? nil : noteBypassing(address)
    }

    private func noteBypassing(_ address: Address) -> [PathStep]? {
        let passed = bypassedReducers.note(address)
        isPlain = responders.isEmpty && bypassedReducers.lenses.isEmpty
        return passed
    }

    /// Why a check refuses an action on the state at `root`; nil if none does.
    @inline(__always)
    func failure(in root: UnsafeRawPointer, _ dispatch: borrowing Dispatch) -> CheckFailure? {
        checkers.isEmpty ? nil : firstFailure(in: root, dispatch)
    }

    @inline(never)
    private func firstFailure(
        in root: UnsafeRawPointer, _ dispatch: borrowing Dispatch
    ) -> CheckFailure? {
        let (action, address) = (dispatch.action, dispatch.address)
        for checker in checkers {
            if let failure = checker.failure(root, action, to: address) { return failure }
        }
        return nil
    }

    /// What a pass over the handlers found.
    enum Outcome {
        /// At least one reducer ran.
        case reduced
        /// All handlers at the address are in slices or rows that are not there.
        case absent
        /// No feature at this address handles it.
        case unhandled
    }

    /// Runs the reducers that the address names on the state at `root`; `stamp` is there where one asks for it.
    @inline(__always)
    func reduce(
        _ root: UnsafeMutableRawPointer, _ dispatch: borrowing Dispatch, _ stamp: Stamp? = nil
    ) -> Outcome {
        if let only, dispatch.address.components.isEmpty {
            only._withUnsafeGuaranteedRef {
                $0.run(root + onlyOffset, dispatch.action, dispatch.type, stamp)
            }
            return .reduced
        }
        return reduceEach(root, dispatch, stamp)
    }

    @inline(never)
    private func reduceEach(
        _ root: UnsafeMutableRawPointer, _ dispatch: borrowing Dispatch, _ stamp: Stamp?
    ) -> Outcome {
        let (type, action, address) = (dispatch.type, dispatch.action, dispatch.address)
        let outcome =
            childReducers.isEmpty
            ? handle(root, action, as: type, to: address, stamp, .unhandled)
            : reduceWithParents(root, action, as: type, to: address, stamp)
        for ending in endings
        where address.includes(ending.lens.steps) || ending.surrounds(address) {
            ending.run(in: root, address, action, type, stamp)
        }
        return outcome
    }

    /// Runs the reducers, then what their parents add.
    private func reduceWithParents(
        _ root: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, as type: any Action.Type,
        to address: Address, _ stamp: Stamp?
    ) -> Outcome {
        let meant = childReducers.map { $0.child.instances(of: address, in: root) }
        var outcome = handle(
            root, action, as: type, to: address, stamp,
            childReducers.contains { address.includes($0.child.steps) } ? .absent : .unhandled)
        for (childReducer, instances) in zip(childReducers, meant) {
            for instance in instances where childReducer.reduce(root, action, of: instance, stamp) {
                outcome = .reduced
            }
        }
        return outcome
    }

    private func handle(
        _ root: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, as type: any Action.Type,
        to address: Address, _ stamp: Stamp?, _ start: Outcome
    ) -> Outcome {
        var outcome = start
        for handler in handlers {
            guard address.components.isEmpty || address.includes(handler.lens.steps) else {
                if handler.surrounds(address) {
                    handler.run(in: root, address, action, type, stamp)
                }
                continue
            }
            if handler.offset >= 0 {
                handler.run(root + handler.offset, action, type, stamp)
                outcome = .reduced
            } else if handler.lens.reach(
                in: root, address, { handler.run($0, action, type, stamp) })
            {
                outcome = .reduced
            } else if outcome == .unhandled {
                outcome = .absent
            }
        }
        // A feature that responds handles the action too.
        for responder in responders where outcome != .reduced {
            guard address.includes(responder.lens.steps) else { continue }
            outcome = responder.lens.contains(address, in: root) ? .reduced : .absent
        }
        return outcome
    }

    /// Whether a handler is at the address, if the slices and rows on its way are there.
    func handles(_ address: Address) -> Bool {
        handlers.contains { address.components.isEmpty || address.includes($0.lens.steps) }
            || childReducers.contains { address.includes($0.child.steps) }
            || responders.contains { address.includes($0.lens.steps) }
    }

    /// Where such actions are handled, as text, each place once, in order.
    var places: [String] {
        var places: [String] = []
        let all =
            handlers.map(\.lens.steps) + childReducers.map(\.child.steps)
            + responders.map(\.lens.steps)
        for steps in all where !places.contains(steps.text) {
            places.append(steps.text)
        }
        return places
    }

    /// Whether any reducer may have changed these bytes of the state.
    package func changes(_ range: Range<Int>) -> Bool {
        handlers.contains { $0.lens.range.overlaps(range) }
            || childReducers.contains { $0.lens.range.overlaps(range) }
    }

    /// Whether any group's selection may have changed when this route reduced; `watchers` are these
    /// groups then.
    ///
    /// - Complexity: O(groups that came or went since), O(groups) where these were very many.
    @inline(__always)
    func isWatched(in index: SubscriptionIndex) -> Bool {
        if watchersRevision != index.revision { refreshWatchers(index) }
        return !watchers.isEmpty
    }

    @inline(never)
    private func refreshWatchers(_ index: SubscriptionIndex) {
        defer { watchersRevision = index.revision }
        guard let changes = index.changes(since: watchersRevision) else {
            watchers = index.groups.filter(concerns)
            goneCount = 0
            return
        }
        for group in changes where concerns(group) {
            if group.isGone {
                goneCount += 1
            } else {
                watchers.append(group)
            }
        }
        guard goneCount * 2 > watchers.count else { return }
        watchers.removeAll(where: \.isGone)
        goneCount = 0
    }

    /// Whether a group's selection may change when this route reduces.
    private func concerns(_ group: SubscriberGroup) -> Bool {
        handlers.contains { group.reads($0.lens.range) }
            || childReducers.contains { group.reads($0.lens.range) }
    }
}

/// Routes by action type: open addressing on the type's pointer.
///
/// A dictionary keyed by `ObjectIdentifier` hashes with SipHash and costs more than the rest of a
/// dispatch; a type's pointer is unique already, so a multiplication spreads it well enough.
///
/// The table is plain memory, so that looking something up counts no references. Its `CompiledFeatures` owns
/// the memory and the routes in it, and frees them when no thread uses the features any more.
struct RouteTable: @unchecked Sendable {  // Written in `init` only.
    private let slots: UnsafeMutablePointer<(key: UInt, route: Unmanaged<Route>?)>
    private let shift: UInt64
    private let mask: Int

    init(_ routes: [Route]) {
        var bits: UInt64 = 2
        while (1 << bits) < routes.count * 2 { bits += 1 }
        let capacity = 1 << Int(bits)
        shift = 64 - bits
        mask = capacity - 1
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: (0, nil), count: capacity)
        for route in routes {
            let key = Self.key(of: route.type)
            var index = slot(of: key)
            while slots[index].key != 0 { index = (index + 1) & mask }
            slots[index] = (key, .passRetained(route))
        }
    }

    /// Frees the memory; the table must not be used again.
    func destroy() {
        for index in 0...mask { slots[index].route?.release() }
        slots.deallocate()
    }

    /// The route of a type; nil when no feature registered for it.
    ///
    /// - Complexity: O(1).
    @inline(__always)
    func find(_ type: any Action.Type) -> Unmanaged<Route>? {
        let key = Self.key(of: type)
        var index = slot(of: key)
        while true {
            let found = slots[index]
            if found.key == key { return found.route }
            if found.key == 0 { return nil }
            index = (index + 1) & mask
        }
    }

    @inline(__always)
    private static func key(of type: any Action.Type) -> UInt {
        UInt(bitPattern: ObjectIdentifier(type))
    }

    @inline(__always)
    private func slot(of key: UInt) -> Int {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4).
        Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }
}
