// SPDX-License-Identifier: MIT

import Foundation

/// The server, seen from the process that measures it.
package final class ServerProcess {
    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()
    private var received = Data()
    /// Where it serves, on 127.0.0.1.
    package private(set) var port = 0

    /// Starts this program with arguments that make it a server.
    package init(_ arguments: String...) throws {
        guard let program = Bundle.main.executableURL else {
            throw Failure("The path of this program isn't known.")
        }
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = orders
        process.standardOutput = answers
        try process.run()
        port = try answer("listening")[0]
    }

    /// The memory the server has in use, in bytes.
    package func residentMemory() throws -> Int {
        order("memory")
        return try answer("memory")[0]
    }

    /// Lets the server commit, 20 times a second, and returns when it is done.
    package func commit(_ count: Int) throws -> [StampedCommit] {
        order("commit \(count)")
        return try (0..<count).map { _ in
            let numbers = try answer("commit", of: 2)
            return StampedCommit(version: numbers[0], nanoseconds: numbers[1])
        }
    }

    /// Ends the server.
    package func stop() {
        try? orders.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func order(_ line: String) {
        orders.fileHandleForWriting.write(Data((line + "\n").utf8))
    }

    /// The numbers of the next answer.
    private func answer(_ word: String, of count: Int = 1) throws -> [Int] {
        let newline = UInt8(ascii: "\n")
        while !received.contains(newline) {
            let data = answers.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure("The server has ended.") }
            received.append(data)
        }
        let line = received.prefix { $0 != newline }
        received = Data(received.dropFirst(line.count + 1))
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard words.first == word[...], numbers.count == count else {
            throw Failure("The server answered \"\(String(decoding: line, as: UTF8.self))\".")
        }
        return numbers
    }
}
