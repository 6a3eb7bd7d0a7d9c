// SPDX-License-Identifier: MIT
#if Cluster

import Foundation

/// A program that ends with this one, however that ends.
///
/// A shell watches over it, whose input is a pipe from here: when that ends, it ends the program and tidies up.
final class ChildProcess: Sendable {
    /// The program's own, not the shell's.
    let id: Int32
    private let shell: Process
    private let input: FileHandle
    /// What the program prints, line by line; ends with it.
    let lines: AsyncStream<String>

    private static let script = #"""
        signal=$1 folder=$2
        shift 2
        exec 3<&0
        "$@" </dev/null 3<&- &
        program=$!
        echo "$program"
        (cat <&3 >/dev/null; kill -"$signal" "$program" 2>/dev/null) &
        wait "$program"
        kill -KILL "$!" 2>/dev/null
        [ -z "$folder" ] || rm -rf "$folder"
        """#

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: Its path, or its name, and its arguments.
    ///   - signal: What it is to end by.
    ///   - folder: A folder that is removed once it has ended.
    ///   - environment: What is added to this program's environment.
    /// - Throws: Where there is no such program.
    init(
        _ command: [String], endedBy signal: String = "TERM", in folder: String = "",
        environment: [String: String] = [:]
    ) throws {
        let shell = Process()
        self.shell = shell
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", Self.script, "sh", signal, folder] + command
        shell.currentDirectoryURL = URL(filePath: "/")
        shell.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (input, output) = (Pipe(), Pipe())
        (shell.standardInput, shell.standardOutput) = (input, output)
        try Self.withSignals { try shell.run() }
        self.input = input.fileHandleForWriting
        let reader = LineReader(output.fileHandleForReading)
        guard let id = reader.next().flatMap({ Int32($0) }) else {
            throw Refusal(description: "\(command[0]) can't be started.")
        }
        self.id = id
        lines = AsyncStream { lines in
            Thread.detachNewThread {
                while let line = reader.next() { lines.yield(line) }
                lines.finish()
            }
        }
    }

    /// Ends it; returns once it has ended.
    func end() async {
        try? input.close()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread { [shell] in
                shell.waitUntilExit()
                continuation.resume()
            }
        }
    }

    /// Ends it, and holds the thread until it has ended.
    func endAtOnce() {
        try? input.close()
        shell.waitUntilExit()
    }

    /// Threads of Swift's pool block signals, which a program that they start would do as well.
    private static func withSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    /// Runs a program to its end.
    ///
    /// - Throws: What it said, where it failed.
    static func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(filePath: "/")
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Refusal(
                description:
                    "\(command.joined(separator: " ")): \(String(decoding: said, as: UTF8.self))")
        }
    }
}

/// Reads lines as they come; by one thread at a time.
private final class LineReader: @unchecked Sendable {
    private let file: FileHandle
    private var rest = Data()

    init(_ file: FileHandle) { self.file = file }

    /// The next line; nil at the end.
    func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let some = file.availableData
            if some.isEmpty { return nil }
            rest += some
        }
    }
}
#endif
