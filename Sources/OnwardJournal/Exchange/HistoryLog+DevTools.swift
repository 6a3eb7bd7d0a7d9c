// SPDX-License-Identifier: MIT

internal import Onward

extension HistoryLog where State: Codable {
    /// Replaces the contents with those of a file; if that fails, nothing changes.
    ///
    /// The file's actions run through this store's reducers, so the states are recomputed. Whatever
    /// the file says, the log stays locked or paused as it was.
    ///
    /// - Parameters:
    ///   - file: A file of either shape. One without a state begins with ``initial``.
    ///   - codec: The codec of the store's actions.
    /// - Throws: ``DevToolsError``, naming the action or the field.
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

    /// A file with its states and actions decoded as types of the store.
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
            let decoded: any Action
            var address = Address.root
            var stamp: EntryStamp?
            if action.isPauseMark {
                decoded = PauseMark()
            } else if let lost = LostAction(action.action) {
                decoded = lost
            } else {
                (decoded, address, stamp) = try codec.action(
                    of: action.action, "actionsById[\(action.id)].action")
            }
            staged.append(
                HistoryEntry(
                    id: action.id, action: decoded, address: address,
                    origin: Self.origin(action.stack),
                    time: action.timestamp == 0
                        ? nil : Timestamp(nanosecondsSince1970: Int64(action.timestamp * 1e6)),
                    stamp: stamp))
        }
        return staged
    }

    private static func decoded(_ state: DataValue?) throws(DevToolsError) -> State? {
        guard let state else { return nil }
        do {
            return try state.decoded(as: State.self, texts: .anything)
        } catch {
            throw DevToolsError(
                .otherState, "The state is no \(State.self): \(ActionCodec.reason(error)).")
        }
    }

    /// The place that a stack names, as `file:line`.
    private static func origin(_ stack: String?) -> ActionOrigin {
        let first = stack?.split(separator: "\n").first ?? ""
        guard let colon = first.lastIndex(of: ":"),
            let line = Int(first[first.index(after: colon)...])
        else { return ActionOrigin(file: String(first.prefix(1_024)), line: 0) }
        return ActionOrigin(file: String(first[..<colon].prefix(1_024)), line: line)
    }
}

/// Marks where a log from a file was paused: an entry that changes nothing.
struct PauseMark: Action {}

/// An action that could not be written to a file: an entry that changes nothing.
struct LostAction: Action {
    let name: String
    let reason: String

    init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }

    /// The action that an object of a file stands for; nil if it is another one.
    init?(_ object: DataValue) {
        guard let reason = object[Self.mark]?.text, let name = object["type"]?.text else {
            return nil
        }
        self.init(name: name, reason: reason)
    }

    /// The object that stands for it in a file.
    var object: DataValue { ["type": .text(name), Self.mark: .text(reason)] }

    /// No property of an action has such a name.
    private static let mark = "@unwritten"
}
