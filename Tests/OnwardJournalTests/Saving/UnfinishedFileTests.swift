// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal
@testable import struct TestSupport.SeededGenerator

/// Files are written on a disk that forgets, when the machine stops, whatever was not written down to it.
struct UnfinishedFileTests {
    private struct Stopped: Error {}

    /// Names of files lead to contents; both reach the disk when they are synchronized, or else by chance.
    private struct Disk {
        var names: [String: Int] = [:]
        var contents: [[UInt8]] = []
        /// What was done to names since they were written down.
        var changes: [(name: String, file: Int?)] = []
        var lastingNames: [String: Int] = [:]
        var lastingContents: [[UInt8]?] = []

        subscript(name: String) -> [UInt8]? { names[name].map { contents[$0] } }

        mutating func name(_ name: String, _ file: Int?) {
            names[name] = file
            changes.append((name, file))
        }

        /// Of what was not written down, only some is there, and of contents only their beginning.
        mutating func stop(_ random: inout some RandomNumberGenerator) {
            for (index, bytes) in contents.enumerated() {
                contents[index] =
                    lastingContents[index]
                    ?? Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            }
            names = lastingNames
            for change in changes where Bool.random(using: &random) {
                names[change.name] = change.file
            }
        }
    }

    /// A machine that stops after some steps, and may leave out one kind of them.
    private final class Machine: FileSteps {
        enum Step { case synchronize, synchronizeFolder }
        let disk = Guarded(Disk())
        let left = Guarded(Int.max)
        let leavesOut: Step?

        init(leavingOut step: Step? = nil) { leavesOut = step }

        private func step(_ body: (inout Disk) -> Void) throws {
            let runs = left.withValue { left in
                if left > 0 { left -= 1 }
                return left > 0
            }
            guard runs else { throw Stopped() }
            disk.withValue(body)
        }

        func makeFolder(_ path: String) throws { try step { _ in } }
        func makeFile(_ path: String, permissions: Int?) throws {
            try step { disk in
                disk.name(path, disk.contents.count)
                disk.contents.append([])
                disk.lastingContents.append(nil)
            }
        }
        func write(_ bytes: [UInt8], to path: String) throws {
            // In two halves, between which it may stop.
            for length in [bytes.count / 2, bytes.count] {
                try step { disk in
                    if let file = disk.names[path] {
                        disk.contents[file] = Array(bytes.prefix(length))
                    }
                }
            }
        }
        func synchronize(_ path: String) throws {
            if leavesOut == .synchronize { return }
            try step { disk in
                if let file = disk.names[path] { disk.lastingContents[file] = disk.contents[file] }
            }
        }
        func move(_ path: String, to name: String) throws {
            try step { disk in
                // A change of two names that is one for the disk: the old name may stay as well.
                disk.name(name, disk.names[path])
                disk.name(path, nil)
            }
        }
        func synchronizeFolder(_ path: String) throws {
            if leavesOut == .synchronizeFolder { return }
            try step { disk in
                disk.lastingNames = disk.names
                disk.changes = []
            }
        }
        func remove(_ path: String) throws { try step { $0.name(path, nil) } }
    }

    private let path = "/app/settings.json"
    private let old: [UInt8] = [1, 2, 3, 4, 5]
    private let new: [UInt8] = [9, 8, 7]

    /// Writes over an older file on machines that stop at every step; what is found when they start again.
    private func found(leavingOut step: Machine.Step?, seed: UInt64, isFirst: Bool = false)
        throws -> (stopped: [[UInt8]?], returned: [UInt8]?)
    {
        var random = SeededGenerator(seed: seed)
        var stopped: [[UInt8]?] = []
        for steps in 1... {
            let machine = Machine(leavingOut: step)
            if !isFirst {
                try UnfinishedFile(for: path, on: machine).write(old, permissions: nil)
                machine.disk.withValue {
                    $0.lastingNames = $0.names
                    $0.lastingContents = $0.contents
                    $0.changes = []
                }
            }
            machine.left.withValue { $0 = steps }
            var returned = true
            do {
                try UnfinishedFile(for: path, on: machine).write(new, permissions: nil)
            } catch is Stopped {
                returned = false
            }
            let contents = machine.disk.withValue { disk in
                disk.stop(&random)
                return disk[path]
            }
            if returned { return (stopped, contents) }
            stopped.append(contents)
        }
        return (stopped, nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a machine that stops has the old file or the new one, and the new one once written`(
        seed: UInt64
    ) throws {
        let (stopped, returned) = try found(leavingOut: nil, seed: seed)
        #expect(stopped.count == 7)
        #expect(stopped.allSatisfy { $0 == old || $0 == new })
        #expect(returned == new)
        let first = try found(leavingOut: nil, seed: seed, isFirst: true)
        #expect(first.stopped.allSatisfy { $0 == nil || $0 == new })
        #expect(first.returned == new)
    }

    @Test func `a file that is not written down before the old one goes may be broken`()
        throws
    {
        let broken = try (0..<200 as Range<UInt64>).filter { seed in
            try found(leavingOut: .synchronize, seed: seed).stopped
                .contains { $0 != old && $0 != new }
        }
        #expect(broken.count > 20)
    }

    @Test func `a name that is not written down may be lost`() throws {
        let broken = try (0..<200 as Range<UInt64>).filter { seed in
            try found(leavingOut: .synchronizeFolder, seed: seed).returned != new
        }
        #expect(broken.count > 20)
    }
}
