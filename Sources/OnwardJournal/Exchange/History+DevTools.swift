// SPDX-License-Identifier: MIT

extension History where State: Codable {
    /// Replaces what was recorded with the log of a file; if that fails, nothing changes.
    ///
    /// Actions that are dispatched in the meantime come before the file's log or after it; none is
    /// lost.
    ///
    /// - Parameters:
    ///   - file: A file of either shape. One without a state begins with the store's first state.
    ///   - codec: The codec of the store's actions.
    ///   - isolation: The actor that the caller runs on, whose subscribers are called immediately.
    /// - Throws: ``DevToolsError``, naming the action or the field.
    /// - Complexity: O(entries + size of the state).
    public func load(
        _ file: DevToolsFile, _ codec: ActionCodec, isolation: (any Actor)? = #isolation
    ) throws(DevToolsError) {
        let decoded = try HistoryLog<State>.DecodedFile(file, codec)
        perform(isolation: isolation) { $0.load(decoded) }
    }
}
