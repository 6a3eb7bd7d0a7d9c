// SPDX-License-Identifier: MIT

package import OnwardJournal

extension DataPath {
    /// The maximum number of parts of a state that one path means.
    private static let mostFound = 16

    /// The path of the outermost part on the way: a state without that has nothing at the path.
    package var first: DataPath { DataPath(Array(steps.prefix(1))) }

    /// What a path means if it leads nowhere: the outermost parts of states whose paths contain its
    /// text, ignoring case.
    ///
    /// - Parameter states: The states.
    /// - Returns: At most 16 paths.
    /// - Complexity: O(size of the states).
    package func found(in states: [DataValue]) -> [DataPath] {
        let text = description.lowercased()
        var found: [DataPath] = []
        func search(_ value: DataValue, at path: DataPath) {
            for (step, part) in value.parts {
                guard found.count < Self.mostFound else { return }
                let path = path.appending(step)
                if path.description.lowercased().contains(text) {
                    if !found.contains(path) { found.append(path) }
                } else {
                    search(part, at: path)
                }
            }
        }
        for state in states { search(state, at: DataPath()) }
        return found
    }
}
