// SPDX-License-Identifier: MIT
#if Server

extension Page {
    /// Identifies what is drawn of a log at a location: equal on all servers that draw the same.
    ///
    /// - Complexity: O(templates).
    func epoch(of log: SharedLog, at location: PageLocation<State>) -> String {
        var hash = SHA256()
        for text in [log.name, location.path] + ReservedFields.texts(of: self) {
            hash.add(Array("\(text.utf8.count) \(text)".utf8))
        }
        return hash.finish().prefix(16).hexadecimal
    }
}
#endif
