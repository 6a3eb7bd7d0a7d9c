// SPDX-License-Identifier: MIT

/// The place in the source from which an action was dispatched.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The file in the form of `#fileID`: module, "/", file name.
    public let file: String
    /// The line in ``file``, from 1.
    public let line: Int

    /// An origin, by default the place of this call.
    public init(file: String = #fileID, line: Int = #line) {
        self.file = file
        self.line = line
    }

    /// The file, a colon and the line.
    public var description: String { "\(file):\(line)" }
}
