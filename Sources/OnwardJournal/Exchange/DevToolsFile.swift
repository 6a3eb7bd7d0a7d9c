// SPDX-License-Identifier: MIT

/// A log as Redux DevTools writes it to a file, not yet decoded as types of a store.
///
/// Two shapes are read. The full log has actions by id, their order, a cursor and states. The other
/// shape has only actions, to be run again, and possibly the state that they began with. The full
/// log is what ``HistoryLog/writeDevToolsFile(_:states:to:)`` writes.
public struct DevToolsFile: Sendable, Hashable {
    /// One action of the log.
    package struct Action: Sendable, Hashable {
        package var id: Int
        /// The object with the field `type`.
        package var action: DataValue
        /// Milliseconds since 1970.
        package var timestamp: Double
        package var stack: String?

        /// Whether it isn't an action, but marks where the log was paused.
        var isPauseMark: Bool { action["type"]?.text == DevToolsFile.pauseMark }
    }

    /// The type of the entry with which the browser's extension shows a pause.
    static let pauseMark = "@@PAUSED"

    /// The state before the first action; nil if the file does not have it.
    package var base: DataValue?
    /// The staged actions in order, without the initial one.
    package var actions: [Action] = []
    package var skipped: Set<Int> = []
    package var cursor = 0
    var nextID = 1
    var isLocked = false
    var isPaused = false

    /// The limits of a file, by default 64 MiB, 128 levels and 5,000,000 values, not counting the
    /// states after the actions.
    public static var limits: DataLimits {
        DataLimits(bytes: 64 << 20, depth: 128, elements: 5_000_000)
    }

    /// Reads a file of either shape, rejecting anything inconsistent.
    ///
    /// A full log must have `actionsById`, `stagedActionIds`, `currentStateIndex` and a state to
    /// begin with. The states after the actions are not read, since they are recomputed.
    ///
    /// - Throws: ``DevToolsError``, naming the field.
    /// - Complexity: O(bytes).
    public init(_ bytes: [UInt8], limits: DataLimits = Self.limits) throws(DevToolsError) {
        let file = try Self.value(of: bytes, limits, "The file")
        if file["payload"] != nil {
            try self.init(actionsOnly: file, limits)
        } else {
            try self.init(fullLog: file)
        }
    }

    private static func value(
        of bytes: [UInt8], _ limits: DataLimits, _ name: String
    ) throws(DevToolsError) -> DataValue {
        do {
            try limits.check(bytes)
            var reader = JSONReader(bytes, limits, skipping: "computedStates")
            return try reader.readAll()
        } catch {
            throw DevToolsError(.unreadable, "\(name) cannot be read: \(error)")
        }
    }

    // MARK: Actions only

    private init(actionsOnly file: DataValue, _ limits: DataLimits) throws(DevToolsError) {
        guard let payload = file["payload"]?.text else {
            throw DevToolsError(.invalid, "`payload` is not the text of a JSON array.")
        }
        let list = try Self.value(of: Array(payload.utf8), limits, "`payload`")
        guard case .list(let actions) = list else {
            throw DevToolsError(.invalid, "`payload` is not the text of a JSON array.")
        }
        for (index, action) in actions.enumerated() {
            try Self.checkType(of: action, "payload[\(index)]")
            self.actions.append(Action(id: index + 1, action: action, timestamp: 0))
        }
        if let state = file["preloadedState"], state != .null {
            guard let text = state.text else {
                throw DevToolsError(.invalid, "`preloadedState` is not the text of a JSON value.")
            }
            base = try Self.value(of: Array(text.utf8), limits, "`preloadedState`")
        }
        cursor = actions.count
        nextID = actions.count + 1
    }

    // MARK: Full log

    private init(fullLog file: DataValue) throws(DevToolsError) {
        guard let byID = file["actionsById"]?.fields else {
            throw DevToolsError(.invalid, "`actionsById` is missing, or no object.")
        }
        guard let staged = file["stagedActionIds"]?.list, staged.first?.integer(as: Int.self) == 0
        else {
            throw DevToolsError(.invalid, "`stagedActionIds` is missing, or does not begin with 0.")
        }
        guard let base = file["committedState"] ?? file["computedStates"]?.list?.first?["state"]
        else { throw DevToolsError(.invalid, "`committedState` is missing.") }
        self.base = base
        for (index, id) in staged.enumerated().dropFirst() {
            let place = "stagedActionIds[\(index)]"
            guard let id = id.integer(as: Int.self), id > 0, id < 1 << 53 else {
                throw DevToolsError(.invalid, "`\(place)` is no id.")
            }
            actions.append(try Self.action(id, byID, place))
        }
        let ids = Set(actions.map(\.id))
        guard ids.count == actions.count else {
            throw DevToolsError(.invalid, "`stagedActionIds` names an id twice.")
        }
        skipped = try Self.ids(file["skippedActionIds"], "skippedActionIds")
        guard let cursor: Int = file["currentStateIndex"]?.integer(),
            staged.indices.contains(cursor)
        else {
            throw DevToolsError(
                .invalid,
                "`currentStateIndex` is missing, or not between 0 and \(staged.count - 1).")
        }
        self.cursor = cursor
        let states = try Self.optional(file, "computedStates", "list", \.list)
        if let states, states.count != staged.count {
            throw DevToolsError(
                .invalid, "`computedStates` has \(states.count) states for \(staged.count) actions."
            )
        }
        nextID = (ids.max() ?? 0) + 1
        if let next = file["nextActionId"] {
            guard let next: Int = next.integer(), next >= nextID, next <= 1 << 53 else {
                throw DevToolsError(
                    .invalid, "`nextActionId` is not above the other ids, or beyond 2^53.")
            }
            nextID = next
        }
        isLocked = try Self.optional(file, "isLocked", "truth value", \.bool) ?? false
        isPaused = try Self.optional(file, "isPaused", "truth value", \.bool) ?? false
    }

    /// A field that may be missing, or null.
    private static func optional<Value>(
        _ file: DataValue, _ name: String, _ kind: String, _ read: (DataValue) -> Value?
    ) throws(DevToolsError) -> Value? {
        guard let field = file[name], field != .null else { return nil }
        guard let value = read(field) else {
            throw DevToolsError(.invalid, "`\(name)` is no \(kind).")
        }
        return value
    }

    private static func action(
        _ id: Int, _ byID: [String: DataValue], _ place: String
    ) throws(DevToolsError) -> Action {
        guard let lifted = byID["\(id)"] else {
            throw DevToolsError(.invalid, "`\(place)` names action \(id), which is not there.")
        }
        let name = "actionsById[\(id)]"
        if let type = lifted["type"], type != "PERFORM_ACTION" {
            throw DevToolsError(.invalid, "`\(name).type` is not PERFORM_ACTION.")
        }
        guard let action = lifted["action"] else {
            throw DevToolsError(.invalid, "`\(name).action` is missing.")
        }
        try checkType(of: action, "\(name).action")
        var timestamp = 0.0
        switch lifted["timestamp"] {
        case .integer(let value)?: timestamp = Double(value)
        case .number(let value)? where value.isFinite: timestamp = value
        case nil, .null?: break
        default: throw DevToolsError(.invalid, "`\(name).timestamp` is no number.")
        }
        guard abs(timestamp) < 9e12 else {
            throw DevToolsError(.invalid, "`\(name).timestamp` is no time in milliseconds.")
        }
        return Action(id: id, action: action, timestamp: timestamp, stack: lifted["stack"]?.text)
    }

    private static func checkType(of action: DataValue, _ place: String) throws(DevToolsError) {
        guard action["type"]?.text != nil else {
            throw DevToolsError(.invalid, "`\(place).type` is missing, or no text.")
        }
    }

    private static func ids(
        _ value: DataValue?, _ place: String
    ) throws(DevToolsError) -> Set<Int> {
        guard let value, value != .null else { return [] }
        guard let list = value.list else { throw DevToolsError(.invalid, "`\(place)` is no list.") }
        var ids: Set<Int> = []
        for id in list {
            guard let id: Int = id.integer() else {
                throw DevToolsError(.invalid, "`\(place)` has something that is no id.")
            }
            ids.insert(id)
        }
        return ids
    }
}
