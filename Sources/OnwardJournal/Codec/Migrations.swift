// SPDX-License-Identifier: MIT

internal import Onward

/// Migrates old entries and snapshots to the current schema versions, one step at a time.
///
/// ```swift
/// var migrations = Migrations()
/// migrations.action("CartAction", from: 1) { record in      // add(name) became add(name, amount)
///     var record = record
///     if record.caseName == "add" { record.payload["amount"] = 1 }
///     return [record]
/// }
/// migrations.state(from: 1) { state in
///     var state = state
///     state["basket"] = state["cart"]
///     state["cart"] = nil
///     return state
/// }
/// ```
///
/// Migrations are applied when something is read; the journal keeps what was written. Each step
/// receives the result of the step before it, so a version-1 entry of a type at version 3 goes
/// through the steps from 1 and from 2.
public struct Migrations: Sendable {
    /// A step for records of one type at one schema version.
    typealias ActionStep = @Sendable (ActionRecord) throws -> [ActionRecord]

    private struct Key: Hashable {
        let type: String
        let schema: Int
    }

    private var actionSteps: [Key: ActionStep] = [:]
    private var stateSteps: [Int: @Sendable (DataValue) throws -> DataValue] = [:]
    private var scopeSteps: [(path: [String], name: String)] = []

    /// No migrations.
    public init() {}

    /// Adds a step for one type of action.
    ///
    /// - Parameters:
    ///   - type: The registered name that the type used to have.
    ///   - schema: The schema version that the step starts from. It returns records of the same
    ///     type at the next version, and those of other types at the version that they state.
    ///   - migrate: Returns what replaces a record: one record, none (the action no longer exists)
    ///     or several. It must be pure, since it is applied again each time the record is read.
    public mutating func action(
        _ type: String, from schema: Int,
        _ migrate: @escaping @Sendable (ActionRecord) throws -> [ActionRecord]
    ) {
        actionSteps[Key(type: type, schema: schema)] = migrate
    }

    /// Adds a step for a type that has been renamed.
    ///
    /// - Parameters:
    ///   - type: The registered name that the type used to have.
    ///   - name: The name that it has now.
    ///   - schema: The schema version under which it had the old name; neither the payload nor the
    ///     version changes.
    public mutating func rename(action type: String, to name: String, from schema: Int = 1) {
        action(type, from: schema) { record in
            var record = record
            record.type = name
            return [record]
        }
    }

    /// Adds a step for the state.
    ///
    /// - Parameters:
    ///   - schema: The schema version that the step starts from; its result is at the next one.
    ///   - migrate: Turns the older form into the newer one.
    public mutating func state(
        from schema: Int, _ migrate: @escaping @Sendable (DataValue) throws -> DataValue
    ) {
        stateSteps[schema] = migrate
    }

    /// Adds a step for a renamed scope, such as a `Scope` whose property now has another name.
    ///
    /// Each entry has an address that names the instance it is for. Steps are applied in order,
    /// whatever the entry's schema version.
    ///
    /// - Parameters:
    ///   - path: The names of the scopes from the root to it, joined by "/", without rows:
    ///     `board/notes`.
    ///   - name: The name that the last of them has now.
    public mutating func rename(scope path: String, to name: String) {
        scopeSteps.append((path.split(separator: "/").map(String.init), name))
    }

    // MARK: Applying

    /// Migrates an address.
    ///
    /// - Complexity: O(steps × length of the address).
    func address(_ address: Address) -> Address {
        if scopeSteps.isEmpty { return address }
        return scopeSteps.reduce(address) { $0.renamingScope(at: $1.path, to: $1.name) }
    }

    /// A chain of steps longer than this is a cycle.
    private static let mostSteps = 1_000

    /// Whether a record may become another one.
    var changeActions: Bool { !actionSteps.isEmpty }

    /// Migrates a record.
    ///
    /// - Complexity: O(steps).
    func apply(to record: ActionRecord) throws -> [ActionRecord] {
        var finished: [ActionRecord] = []
        var open = [record]
        var steps = 0
        while let next = open.popLast() {
            guard let step = actionSteps[Key(type: next.type, schema: next.schema)] else {
                finished.append(next)
                continue
            }
            steps += 1
            guard steps <= Self.mostSteps else { throw MigrationLoop(type: next.type) }
            var results = try step(next)
            for index in results.indices where results[index].type == next.type {
                results[index].schema = next.schema + 1
            }
            open += results.reversed()
        }
        return finished
    }

    /// Migrates a state to a schema version; nil if a step is missing.
    func apply(to state: DataValue, from old: Int, to new: Int) throws -> DataValue? {
        var state = state
        for schema in old..<max(old, new) {
            guard let step = stateSteps[schema] else { return nil }
            state = try step(state)
        }
        return state
    }
}

/// Steps that lead from a type to itself, under other names.
struct MigrationLoop: Error, CustomStringConvertible {
    let type: String
    var description: String { "the migrations of \"\(type)\" go round in a circle" }
}
