// SPDX-License-Identifier: MIT

internal import Onward

// A file of Redux DevTools has the state after each entry, so it can be many times as large as the
// log. It is written piecewise: only one state and one piece of the file are in memory at a time.

extension HistoryLog where State: Codable {
    /// Writes the log as a Redux DevTools file; in one of its pages it appears as it was recorded.
    ///
    /// ```swift
    /// try history.log.writeDevToolsFile(codec) { piece in try file.write(contentsOf: piece) }
    /// ```
    ///
    /// - Parameters:
    ///   - codec: The codec of the store's actions.
    ///   - hasStates: Whether to include the state after each entry, as the browser extension
    ///     expects. Programs that run the actions again, such as ``load(_:_:)``, don't need the
    ///     states.
    ///   - write: Receives the next piece of the file: about 64 KiB, or a state.
    /// An action that can't be encoded is written with its name and the reason, without what it
    /// carries; reading the file, it is an entry that changes nothing.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for a state that cannot be encoded; what `write`
    ///   throws.
    /// - Complexity: O(entries × size of the state), or O(entries) without states; memory for one
    ///   state.
    public func writeDevToolsFile(
        _ codec: ActionCodec, states hasStates: Bool = true,
        to write: (_ piece: [UInt8]) throws -> Void
    ) throws {
        var file = DevToolsText()
        file.append(
            #"{"actionsById":{"0":{"action":{"type":"@@INIT"},"timestamp":0,"type":"PERFORM_ACTION"}"#
        )
        for entry in staged.inOrderOfIDs {
            file.append(#",""#)
            file.append(entry.id)
            file.append(#"":{"action":"#)
            file.append(Self.encoded(entry, codec))
            file.append(#","stack":"#)
            file.append(.text("\(entry.origin)"))
            file.append(#","timestamp":"#)
            let nanoseconds = entry.time?.nanosecondsSince1970 ?? 0
            file.append(.number((Double(nanoseconds) / 1e6).rounded()))
            file.append(#","type":"PERFORM_ACTION"}"#)
            try file.flush(to: write)
        }
        let base = base
        file.append(#"},"committedState":"#)
        file.append(try Self.encoded(base))
        if hasStates { try writeStates(from: base, in: &file, to: write) }
        file.append(#","currentStateIndex":"#)
        file.append(cursor)
        file.append(#","isLocked":\#(isLocked),"isPaused":\#(isPaused),"nextActionId":"#)
        file.append(nextID)
        file.append(#","skippedActionIds":"#)
        file.append(.list(skipped.sorted().map { .integer(Int64($0)) }))
        file.append(#","stagedActionIds":[0"#)
        for entry in staged {
            file.append(",")
            file.append(entry.id)
            try file.flush(to: write)
        }
        file.append("]}")
        try file.end(to: write)
    }

    /// Returns the log as a complete Redux DevTools file.
    ///
    /// - Parameters:
    ///   - codec: The codec of the store's actions.
    ///   - hasStates: Whether to include the state after each entry.
    /// - Returns: The bytes of the file.
    /// - Throws: ``JournalError/Code/invalid`` for a state that cannot be encoded.
    /// - Complexity: That of ``writeDevToolsFile(_:states:to:)``, and memory for the file.
    public func devToolsFile(
        _ codec: ActionCodec, states hasStates: Bool = true
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try writeDevToolsFile(codec, states: hasStates) { bytes += $0 }
        return bytes
    }

    private func writeStates(
        from base: State, in file: inout DevToolsText, to write: (_ piece: [UInt8]) throws -> Void
    ) throws {
        var state = base
        file.append(#","computedStates":[{"state":"#)
        file.append(try Self.encoded(state))
        for entry in staged {
            if !skipped.contains(entry.id) { state = replay([entry.replayed], state) }
            file.append(#"},{"state":"#)
            file.append(try Self.encoded(state))
            try file.flush(to: write)
        }
        file.append("}]")
    }

    private static func encoded(
        _ entry: HistoryEntry, _ codec: ActionCodec
    ) -> DataValue {
        switch entry.action {
        case is PauseMark: return ["type": .text(DevToolsFile.pauseMark)]
        case let lost as LostAction: return lost.object
        default: break
        }
        do {
            return try codec.object(
                of: entry.action, to: entry.address, stamp: entry.stamp)
        } catch {
            // One action doesn't keep the others from being exported.
            return LostAction(name: entry.action.wireName, reason: error.description).object
        }
    }

    private static func encoded(_ state: State) throws(JournalError) -> DataValue {
        do {
            return try DataValue(encoding: state)
        } catch {
            throw JournalError(
                .invalid, "\(State.self) cannot be encoded: \(ActionCodec.reason(error)).")
        }
    }
}

/// The part of a file that has not been handed on yet.
private struct DevToolsText {
    private static let pieceSize = 1 << 16

    private var json = JSONWriter(isScripted: true)

    mutating func append(_ text: String) { json.append(text) }
    mutating func append(_ number: Int) { json.append(number) }
    mutating func append(_ value: DataValue) { json.write(value) }

    /// Hands it on if there is enough of it.
    mutating func flush(to write: (_ piece: [UInt8]) throws -> Void) throws {
        if json.bytes.count >= Self.pieceSize { try write(json.take()) }
    }

    mutating func end(to write: (_ piece: [UInt8]) throws -> Void) throws {
        try write(json.take())
    }
}

extension HistoryEntries {
    /// The entries sorted by id, which they usually are already.
    fileprivate var inOrderOfIDs: [HistoryEntry] {
        let isInOrder = zip(self, dropFirst()).allSatisfy { $0.id < $1.id }
        return isInOrder ? Array(self) : sorted { $0.id < $1.id }
    }
}
