// SPDX-License-Identifier: MIT

internal import Onward

extension HistoryLog where State: Codable {
    /// The log as a file of Redux DevTools; one of its pages shows it as it was recorded.
    ///
    /// - Parameters:
    ///   - codec: The codec of the store's actions.
    ///   - limits: How much of such a file is read again.
    /// - Returns: The file; ``DevToolsFile/bytes`` is its text.
    /// - Throws: ``JournalError/Code/invalid`` for an action or a state that cannot be encoded, and for more
    ///   values than the limits allow.
    /// - Complexity: O(entries × size of the state), as such a file has the state after each entry.
    public mutating func devToolsFile(
        _ codec: ActionCodec, limits: DataLimits = DevToolsFile.limits
    ) throws(JournalError) -> DevToolsFile {
        var file = DevToolsFile(limits: limits)
        file.base = try Self.encoded(base)
        for entry in staged {
            file.actions.append(
                DevToolsFile.Action(
                    id: entry.id, action: try Self.encoded(entry, codec),
                    timestamp: (Double(entry.time.nanosecondsSince1970) / 1e6).rounded(),
                    stack: "\(entry.origin)"))
        }
        var count = 0
        for index in 0...staged.count {
            let state = try Self.encoded(state(at: index))
            do {
                try limits.check(state, after: &count)
            } catch {
                throw JournalError(
                    .invalid,
                    """
                    A file with the state after each of \(staged.count) entries could not be read again: \
                    \(error). Commit the log, or give the history a lower limit, before it is exported.
                    """)
            }
            file.states.append(state)
        }
        file.skipped = skipped
        file.cursor = cursor
        file.nextID = nextID
        file.isLocked = isLocked
        file.isPaused = isPaused
        return file
    }

    private static func encoded(
        _ entry: HistoryEntry, _ codec: ActionCodec
    ) throws(JournalError) -> DataValue {
        if entry.action is PauseMark { return ["type": .text(DevToolsFile.pauseMark)] }
        return try codec.object(of: entry.action, to: entry.address)
    }

    private static func encoded(_ state: State) throws(JournalError) -> DataValue {
        do {
            return try DataValue(encoding: state)
        } catch {
            throw JournalError(
                .invalid, "\(State.self) cannot be encoded: \(ActionCodec.reason(error)).")
        }
    }

    /// Replaces the contents by those of a file; where that fails, nothing has changed.
    ///
    /// Its actions run through this store's reducers, so the states are computed anew. Whether the log is locked or
    /// paused stays as it is, whatever the file says.
    ///
    /// - Parameters:
    ///   - file: A file of either shape. One without a state begins with ``initial``.
    ///   - codec: The codec of the store's actions.
    /// - Throws: ``DevToolsError`` that names the action or the field.
    /// - Complexity: O(entries + size of the state).
    public mutating func load(
        _ file: DevToolsFile, _ codec: ActionCodec
    ) throws(DevToolsError) {
        load(try DecodedFile(file, codec))
    }

    mutating func load(_ file: DecodedFile) {
        load(
            base: file.base ?? initial, staged: file.staged, skipped: file.file.skipped,
            cursor: file.file.cursor, nextID: file.file.nextID)
    }

    /// A file with its states and actions as types of the store.
    struct DecodedFile {
        let file: DevToolsFile
        let base: State?
        let staged: [HistoryEntry]

        init(_ file: DevToolsFile, _ codec: ActionCodec) throws(DevToolsError) {
            self.file = file
            base = try HistoryLog.decoded(file.base)
            staged = try HistoryLog.entries(of: file, codec)
        }
    }

    private static func entries(
        of file: DevToolsFile, _ codec: ActionCodec
    ) throws(DevToolsError) -> [HistoryEntry] {
        var staged: [HistoryEntry] = []
        for action in file.actions {
            let (decoded, address) =
                action.isPauseMark
                ? (PauseMark(), .root)
                : try codec.action(of: action.action, "actionsById[\(action.id)].action")
            staged.append(
                HistoryEntry(
                    id: action.id, action: decoded, address: address,
                    origin: Self.origin(action.stack),
                    time: Timestamp(nanosecondsSince1970: Int64(action.timestamp * 1e6))))
        }
        return staged
    }

    private static func decoded(_ state: DataValue?) throws(DevToolsError) -> State? {
        guard let state else { return nil }
        do {
            return try state.decoded(as: State.self)
        } catch {
            throw DevToolsError(
                .otherState, "The state is no \(State.self): \(ActionCodec.reason(error)).")
        }
    }

    /// The place that a stack names, as `file:line`.
    private static func origin(_ stack: String?) -> Origin {
        let first = stack?.split(separator: "\n").first ?? ""
        guard let colon = first.lastIndex(of: ":"),
            let line = Int(first[first.index(after: colon)...])
        else { return Origin(file: String(first.prefix(1_024)), line: 0) }
        return Origin(file: String(first[..<colon].prefix(1_024)), line: line)
    }
}

/// Where a log that comes from a file was paused: an entry that changes nothing.
struct PauseMark: Action {}
