// SPDX-License-Identifier: MIT

/// Why a report cannot be read or made.
///
/// Its text never contains anything that users entered.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case foreign, newer, damaged, tooLarge, unreadable, unwritable, unknownAction
            case noFault, child
        }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The file is not a report, or not a recording, or can't be read at all.
        public static let foreign = Code(kind: .foreign)
        /// The file was written by a newer version of the library.
        public static let newer = Code(kind: .newer)
        /// The file is not what was written: the end is missing, or a checksum is wrong.
        public static let damaged = Code(kind: .damaged)
        /// The report is larger than the limit.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A state or an entry cannot be decoded by the features.
        public static let unreadable = Code(kind: .unreadable)
        /// The destination can't be written to.
        public static let unwritable = Code(kind: .unwritable)
        /// A ``Redaction`` has a rule about an action that the features don't handle.
        public static let unknownAction = Code(kind: .unknownAction)
        /// The entries don't lead to the fault.
        public static let noFault = Code(kind: .noFault)
        /// The child program can't be started, or does something other than fold.
        public static let child = Code(kind: .child)
    }

    /// What is wrong.
    public let code: Code
    /// A sentence about the problem that says what to do.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
