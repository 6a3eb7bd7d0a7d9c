// SPDX-License-Identifier: MIT
#if Server

/// Finds the tabs that are gone: those for which no stream was open in two looks in a row.
///
/// So a tab survives a broken connection, and one that never came for its stream goes.
struct ClosedTabDetector: Sendable {
    /// The tabs that had no stream at the last look.
    private var quiet: Set<String> = []
    /// Those that had one, where only these count.
    private var own: Set<String> = []

    /// Looks around.
    ///
    /// - Parameters:
    ///   - open: The tabs that the state knows.
    ///   - streams: The tabs that a stream is open for.
    ///   - isAlone: Whether all streams are here; else only tabs that had one here can be gone.
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
