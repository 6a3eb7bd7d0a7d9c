// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The observed values of a store that are armed: subscribed, because a reader may be waiting.
final class ObservedValues: BatchParticipant, @unchecked Sendable {  // Under the store's lock.
    private var values: [ObservedKey: ObservedValue] = [:]
    private var sites: [ObservedSite: ObservedValue] = [:]
    private var uncertain: [ObservedValue] = []
    private var lastTurn: UInt64 = 0
    private let limit: Int

    init(in engine: Engine, _ locked: borrowing Locked) {
        limit = max(engine.options.limits.observedValues, 1)
    }

    /// How many are armed.
    var count: Int { values.count }

    /// Notes a selection in a version; nil when nothing is armed that will report the next change.
    ///
    /// The caller keeps the reader alive.
    func read(
        _ key: ObservedKey, by reader: (any Actor)?, _ locked: borrowing Locked
    ) -> ObservedValue? {
        guard let value = values[key], value.isArmed(for: reader) else { return nil }
        note(value, locked)
        return value
    }

    /// The same for a stored value that was read at a site before.
    func read(
        at site: ObservedSite, by reader: (any Actor)?, _ locked: borrowing Locked
    ) -> ObservedValue? {
        guard let value = sites[site], value.isArmed(for: reader) else { return nil }
        note(value, locked)
        return value
    }

    /// Has an armed value found by a site from now on.
    func find(
        _ key: ObservedKey, at site: ObservedSite, _ path: any AnyKeyPath & Sendable, offset: Int,
        row: ObservedRow?, _ locked: borrowing Locked
    ) {
        guard let value = values[key], sites[site] == nil else { return }
        if value.add(site, path, offset: offset, row: row) { sites[site] = value }
    }

    /// Arms a value, which is noted as read, for a reader that the caller keeps alive; returns those
    /// that have to make room, and the one that it replaces.
    ///
    /// Nil when another one was armed meanwhile: a reader may already be waiting for that.
    func arm(
        _ value: ObservedValue, _ token: Subscription, by reader: (any Actor)?,
        _ locked: borrowing Locked
    ) -> (evicted: [ObservedValue], replaced: ObservedValue?)? {
        if let other = values[value.key], other.isArmed(for: reader) { return nil }
        value.token = token
        note(value, locked)
        let replaced = values.updateValue(value, forKey: value.key)
        if let replaced { forgetSites(of: replaced) }
        return (values.count > limit ? evictHalf(locked) : [], replaced)
    }

    func joined(in engine: Engine, _ locked: borrowing Locked) -> (any DeliveryPart)? {
        guard !uncertain.isEmpty else { return nil }
        defer { uncertain = [] }
        return UncertainValues(
            uncertain.map { value in
                value.isUncertain = false
                return (value, value.token?.listener.marked(locked) ?? 0)
            }, of: engine)
    }

    func end(in engine: Engine) {
        let old = engine.withLockAnywhere { _ in takeContents() }
        withExtendedLifetime(old) {}
    }

    /// Takes out a value that no reader waits for.
    func disarm(_ value: ObservedValue, _ locked: borrowing Locked) {
        if values[value.key] === value { values[value.key] = nil }
        forgetSites(of: value)
    }

    /// Forgets everything; what is returned is to be released outside the lock.
    private func takeContents() -> [ObservedKey: ObservedValue] {
        defer {
            values = [:]
            sites = [:]
            uncertain = []
        }
        return values
    }

    private func forgetSites(of value: ObservedValue) {
        for place in value.sites where sites[place.site] === value { sites[place.site] = nil }
    }

    private func note(_ value: ObservedValue, _ locked: borrowing Locked) {
        lastTurn += 1
        value.read(in: locked.version, turn: lastTurn)
        guard !value.isUncertain, let token = value.token, token.listener.marked(locked) > 0 else {
            return
        }
        value.isUncertain = true
        uncertain.append(value)
    }

    /// Takes out the half that was read longest ago.
    ///
    /// - Complexity: O(n log n), once for n / 2 readings of new values.
    private func evictHalf(_ locked: borrowing Locked) -> [ObservedValue] {
        let oldest = values.sorted { $0.value.turn < $1.value.turn }.prefix((values.count + 1) / 2)
        for (_, value) in oldest { disarm(value, locked) }
        return oldest.map(\.value)
    }
}
