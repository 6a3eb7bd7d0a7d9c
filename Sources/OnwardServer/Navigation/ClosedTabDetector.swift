// SPDX-License-Identifier: MIT
#if Server

/// Finds the tabs that are gone: those that had no open stream in two checks in a row.
///
/// So a tab survives a broken connection, and one that never opened its stream is removed.
struct ClosedTabDetector: Sendable {
    /// The tabs that had no stream at the last check.
    private var quiet: Set<String> = []
    /// The tabs that had one, if only these count.
    private var own: Set<String> = []

    /// Checks the tabs.
    ///
    /// - Parameters:
    ///   - open: The tabs that the state knows.
    ///   - streams: The tabs with an open stream.
    ///   - isAlone: Whether all streams are here; if not, only tabs that had one here can be gone.
    /// - Returns: The tabs that are gone.
    mutating func look(
        at open: [String], streams: Set<String>, isAlone: Bool = true
    ) -> [String] {
        if !isAlone { own = own.union(streams).intersection(open) }
        let silent = open.filter { !streams.contains($0) && (isAlone || own.contains($0)) }
        let gone = silent.filter(quiet.contains)
        quiet = Set(silent).subtracting(gone)
        return gone
    }
}
#endif
