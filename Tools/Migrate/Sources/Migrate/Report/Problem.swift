// SPDX-License-Identifier: MIT

/// A file that could not be read, or not as a whole.
struct Problem: Equatable, Encodable {
    let path: String
    /// Where in the file; nil where it is about all of it.
    var line: Int?
    var column: Int?
    let message: String

    /// A line in the form in which compilers report.
    var text: String {
        let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
        return "\(path)\(place): \(message)"
    }
}
