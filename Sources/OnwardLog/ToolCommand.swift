// SPDX-License-Identifier: MIT
#if All

package import ArgumentParser
internal import Foundation
package import OnwardJournal

/// A command of a tool.
package protocol ToolCommand: ParsableCommand {
    /// Does what the arguments say.
    ///
    /// - Returns: The exit code.
    func run(_ output: ToolOutput) async throws -> Int32
}

/// The output of a command.
package struct ToolOutput: Sendable {
    private let write: @Sendable (_ line: String, _ isError: Bool) -> Void

    /// Creates an output; by default writes to standard output and standard error.
    package init(write: (@Sendable (_ line: String, _ isError: Bool) -> Void)? = nil) {
        self.write =
            write ?? { line, isError in
                let handle = isError ? FileHandle.standardError : FileHandle.standardOutput
                try? handle.write(contentsOf: Data("\(line)\n".utf8))
            }
    }

    /// Writes a line, which does nothing to a terminal, whatever names a file contains.
    package func say(_ line: String) { write(Self.printable(line), false) }

    /// Writes a line about an error, or about progress.
    package func say(error line: String) { write(Self.printable(line), true) }

    /// Writes JSON.
    package func say(_ value: DataValue) {
        write(String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self), false)
    }

    /// Reports the progress of long work now and then.
    func progress(_ version: UInt64, _ last: UInt64) {
        guard last >= 20_000, version % 20_480 < 1_024 else { return }
        say(error: "\(version) of \(last)")
    }

    private static func printable(_ line: String) -> String {
        String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { scalar in
                    let isControl = scalar.properties.generalCategory == .control
                    return isControl && scalar != "\n" ? "\u{FFFD}" : scalar
                }))
    }
}

/// Something that isn't the journal's fault.
struct LogProblem: Error, CustomStringConvertible {
    let exitCode: Int32
    let description: String
}
#endif
