// SPDX-License-Identifier: MIT

extension History where State: Codable {
    /// Shows the log of a file in place of what was recorded; where that fails, nothing has changed.
    ///
    /// Actions that are dispatched meanwhile come before the file's log or after it; none is lost in
    /// between.
    ///
    /// - Parameters:
    ///   - file: A file of either shape. One without a state begins with that in which the store began.
    ///   - codec: The codec of the store's actions.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Throws: ``DevToolsError`` that names the action or the field.
    /// - Complexity: O(entries + size of the state).
    public func load(
        _ file: DevToolsFile, _ codec: ActionCodec, isolation: (any Actor)? = #isolation
    ) throws(DevToolsError) {
        let decoded = try HistoryLog<State>.DecodedFile(file, codec)
        perform(isolation: isolation) { $0.load(decoded) }
    }
}
