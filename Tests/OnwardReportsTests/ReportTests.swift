// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardReports
@testable import struct TestSupport.SeededGenerator

struct ReportTests {
    private let folder = TemporaryFolder()

    private func report(_ count: Int = 12) async throws -> (Report, Store<Shop>) {
        let store = Store(Shop()) { shop }
        let recorder = try SessionRecorder(store, at: folder.path)
        for number in 0..<count {
            store.dispatch(ShopAction.add(id: "\(number)", title: "Title", size: .large))
            store.dispatch(ItemAction.count(number), to: .row(\.items, id: "\(number)"))
        }
        let session = try await recorder.session()
        await recorder.stop()
        return (try session.report(in: shop), store)
    }

    @Test func `a file is read as it was written`() async throws {
        var (report, _) = try await report()
        report.ending.missing = 3
        report.ending.reduced = Report.ReducedAction(
            name: "ShopAction", origin: ActionOrigin(file: "A/B.swift", line: 7), version: 99,
            payload: [0xF6])
        report.alarms = [7: .max]
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/problem.onwardreport"
        try report.write(to: path)
        #expect(try Report(contentsOf: path) == report)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(!report.hashes.isEmpty && !report.digests.isEmpty)
    }

    @Test func `bytes of strangers are refused with an error of this type, whatever they are`()
        async throws
    {
        let (report, _) = try await report(3)
        let bytes = try report.bytes()
        for end in bytes.indices {
            #expect(throws: ReportError.self) { try Report(bytes: Array(bytes[..<end])) }
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x41
            #expect(throws: ReportError.self) { try Report(bytes: changed) }
        }
        // With a checksum that is right, so that the contents are looked at.
        var generator = SeededGenerator(seed: 9)
        var read = 0
        for _ in 0..<3_000 {
            var body = Array(bytes.dropLast(8))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                body[Int.random(in: 8..<body.count, using: &generator)] =
                    .random(in: 0...255, using: &generator)
            }
            let sum = Report.checksum(body)
            for shift in stride(from: 56, through: 0, by: -8) {
                body.append(UInt8(truncatingIfNeeded: sum >> UInt64(shift)))
            }
            guard let found = try? Report(bytes: body) else { continue }
            read += 1
            _ = found.text()
            _ = try? found.folded(by: Store(Shop()) { shop })
        }
        #expect(read > 0)
    }

    @Test func `errors say what is wrong`() async throws {
        let (report, _) = try await report(2)
        let bytes = try report.bytes()
        func code(_ bytes: [UInt8], limit: Int = Report.sizeLimit) -> ReportError.Code? {
            do {
                _ = try Report(bytes: bytes, limit: limit)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(Array("GIF89a, no report".utf8)) == .foreign)
        #expect(code(Array(bytes[..<7] + [9] + bytes[8...])) == .newer)
        #expect(code(Array(bytes.dropLast())) == .damaged)
        #expect(code(bytes, limit: 100) == .tooLarge)
        #expect(throws: ReportError.self) { try report.bytes(limit: 100) }
        let missing = #expect(throws: ReportError.self) { try Report(contentsOf: "/nowhere") }
        #expect(missing?.code == .foreign)
    }

    @Test func `beyond the limit the oldest entries are folded into the state`() async throws {
        let store = Store(Shop()) { shop }
        let recorder = try SessionRecorder(store, at: folder.path)
        for number in 0..<400 {
            store.dispatch(ShopAction.select("row \(number)"))
            store.dispatch(ShopAction.score(1, number))
        }
        let session = try await recorder.session()
        let whole = try session.report(in: shop)
        let limit = try whole.bytes().count / 3
        let report = try session.report(in: shop, limit: limit)
        #expect(try report.bytes(limit: limit).count <= limit)
        #expect((100..<400).contains(report.entries.count))
        #expect(try report.folded(by: store).scores == [1: 399])
        let error = #expect(throws: ReportError.self) { try session.report(in: shop, limit: 50) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a report opens as a store in which each moment can be shown`() async throws {
        let (report, original) = try await report(5)
        let session: ReplayedReport<Shop> = try report.replayed(in: shop)
        #expect(session.store.state.items.count == 5)
        #expect(session.store.state.total == original.state.total)
        session.history.jump(to: 4)
        #expect(session.store.state.items.map(\.count) == [0, 1])
        session.history.jumpToEnd()
        #expect(session.store.state.items.map(\.count) == [0, 1, 2, 3, 4])
    }

    @Test func `a person can read what is in it, by path`() async throws {
        let (report, _) = try await report(1)
        let text = report.text()
        #expect(text.contains("Entries: 2 after version 0"))
        #expect(text.contains("  state.total: 0"))
        #expect(text.contains("1 ShopAction/add (OnwardReportsTests/ReportTests.swift:"))
        #expect(text.contains("  size: \"large\""))
        #expect(text.contains("2 ItemAction/count @items/#"))
        #expect(!text.contains("Title"))
        #expect(report.text(lines: 3).hasSuffix("more lines\n"))
    }
}
