// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal
@testable import struct TestSupport.SeededGenerator

/// A value is saved and loaded in random order while its disk fails, and values are noted and written
/// while another write is under way.
struct SavingModelTests {
    /// A disk that fails when it is asked to, and during whose next write something else happens.
    private final class Disk: ValueStorage {
        struct State {
            var contents: [UInt8]?
            var fails = false
            var failsToWrite = false
            var during: (@Sendable () -> Void)?
            var written: [Int] = []
            var aside: [[UInt8]] = []
        }
        struct Failure: Error {}
        let state = Guarded(State())

        func read() throws -> [UInt8]? {
            let (contents, fails) = state.withValue { ($0.contents, $0.fails) }
            if fails { throw Failure() }
            return contents
        }

        func write(_ bytes: [UInt8]) throws {
            let during = state.withValue { state in
                defer { state.during = nil }
                return state.during
            }
            during?()
            if state.withValue({ $0.fails || $0.failsToWrite }) { throw Failure() }
            let value = try DataFormat.json.value(of: bytes)["value"]?.integer(as: Int.self)
            state.withValue {
                $0.contents = bytes
                $0.written.append(value ?? -1)
            }
        }

        func setAside() throws {
            if state.withValue({ $0.fails }) { throw Failure() }
            state.withValue { state in
                if let contents = state.contents { state.aside.append(contents) }
                state.contents = nil
            }
        }
    }

    private let disk = Disk()
    private let reports = Guarded<[SavingError]>([])
    private let clock = ContinuousClock()

    private func makeSaved() -> SavedValue<Int> {
        let reports = reports
        return SavedValue(in: disk, report: { error in reports.withValue { $0.append(error) } })
    }

    /// Notes values and writes on another thread while the next write is under way.
    private func interfere(_ saved: SavedValue<Int>, _ values: [Int], on group: DispatchGroup) {
        disk.state.withValue {
            $0.during = {
                for value in values { _ = saved.note(value, on: ContinuousClock()) }
                DispatchQueue.global().async(group: group) { saved.save() }
            }
        }
    }

    @Test func `after a failed write the newer value is written, and the older one is not`()
        throws
    {
        let saved = makeSaved()
        #expect(try saved.load() == nil)
        let group = DispatchGroup()
        _ = saved.note(0, on: clock)
        _ = saved.note(1, on: clock)
        disk.state.withValue { [disk] state in
            state.failsToWrite = true
            state.during = {
                _ = saved.note(2, on: ContinuousClock())
                DispatchQueue.global().async(group: group) {
                    // Waits for the write under way.
                    saved.save()
                }
            }
            _ = disk
        }
        saved.save()
        disk.state.withValue { $0.failsToWrite = false }
        group.wait()
        saved.save()
        #expect(disk.state.withValue { $0.written } == [2])
    }

    @Test func `a value that went to and fro is written again, as what was there may be gone`()
        throws
    {
        let saved = makeSaved()
        _ = saved.note(0, on: clock)
        _ = saved.note(5, on: clock)
        saved.save()
        disk.state.withValue { $0.contents = nil }
        _ = saved.note(6, on: clock)
        _ = saved.note(5, on: clock)
        saved.save()
        #expect(try saved.load() == 5)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `whatever fails, the newest value is saved and nothing good is written over`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var saved = makeSaved()
        var newest = 0
        /// What a new start finds, where it is known and readable.
        var isBlocked = false
        let group = DispatchGroup()
        _ = saved.note(0, on: clock)
        for _ in 0..<40 {
            let fails = Int.random(in: 0..<3, using: &generator) == 0
            disk.state.withValue { $0.fails = fails }
            let before = disk.state.withValue { $0 }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                newest += 1
                _ = saved.note(newest, on: clock)
            case 3..<5: saved.save()
            case 5..<7:
                let values = Array(newest + 1...newest + Int.random(in: 1...3, using: &generator))
                newest += 1
                _ = saved.note(newest, on: clock)
                if let last = values.last { newest = max(newest, last) }
                interfere(saved, values.filter { $0 > before.written.last ?? 0 }, on: group)
                saved.save()
                group.wait()
                disk.state.withValue { $0.during = nil }
            case 7:
                // Another program removes the file.
                disk.state.withValue { $0.contents = nil }
            case 8:
                // A new start; what was not written by then is lost.
                saved.save()
                saved = makeSaved()
                let contents = disk.state.withValue { $0.contents }
                do {
                    let value = try saved.load()
                    #expect(!fails)
                    #expect(
                        value.map { contents == form($0) }
                            ?? (contents == nil || contents == Array("{".utf8)))
                    isBlocked = false
                } catch {
                    #expect(fails && error.code == .unreadable)
                    isBlocked = true
                }
                _ = saved.note(newest, on: clock)
            default:
                // Something breaks the contents.
                disk.state.withValue { $0.contents = Array("{".utf8) }
                saved = makeSaved()
                let value = try? saved.load()
                #expect(value == nil)
                isBlocked = fails
                let after = disk.state.withValue { $0 }
                #expect(after.aside.count == before.aside.count + (fails ? 0 : 1))
                #expect(after.contents == (fails ? Array("{".utf8) : nil))
                _ = saved.note(newest, on: clock)
            }
            let after = disk.state.withValue { $0 }
            #expect(after.written == after.written.sorted(), "older after newer")
            if isBlocked {
                #expect(after.written == before.written)
            }
        }
        disk.state.withValue { $0.fails = false }
        if isBlocked {
            // Another attempt finds what is there, or sets it aside.
            _ = try saved.load()
        }
        newest += 1
        _ = saved.note(newest, on: clock)
        saved.save()
        #expect(disk.state.withValue { $0.contents } == form(newest))
    }

    private func form(_ value: Int) -> [UInt8] { Array(#"{"schema":1,"value":\#(value)}"#.utf8) }
}
