// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardReports
@testable import RecordedProgram

/// The program that the tests kill; it lies where the tests lie.
let recordedProgram: String = {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let folders = [tests, tests.deletingLastPathComponent(), Bundle.main.bundleURL]
    let programs = folders.map { $0.appendingPathComponent("RecordedProgram").path }
    return programs.first { FileManager.default.isExecutableFile(atPath: $0) } ?? programs[0]
}()

struct FoldingProgramTests {
    @Test func `of entries that kill a program those remain that do it with the same message`()
        throws
    {
        let codec = JournalCodec(for: Store(Dial()) { dial })
        let actions: [DialAction] =
            (0..<60).flatMap { [.click(by: "Emma \($0)"), .turn(3)] } + [.turn(900), .turn(7)]
        let report = Report(
            from: try codec.states.encode(Dial(), at: 0, by: codec.fingerprint),
            try actions.enumerated().map {
                try codec.actions.encode(LogEntry(version: CommitVersion($0 + 1), action: $1))
            })
        let program = FoldingProgram(recordedProgram)
        let found: ShortestLog<Dial> = try report.shortest(
            in: dial, dyingWith: "The dial was turned too far", in: program)
        // The list is shortest first, with values as they were: 34 turns, which then become simpler.
        #expect(found.entries.allSatisfy { ($0.action as? DialAction)?.isTurn == true })
        #expect(found.entries.count == 35)
        let source = try found.testSource(named: "the dial holds", making: "Store(Dial()) { dial }")
        #expect(source.contains("]).check(by: Store(Dial()) { dial })"))
        let error = #expect(throws: ReportError.self) {
            let _: ShortestLog<Dial> = try report.shortest(
                in: dial, dyingWith: "something else", in: program)
        }
        #expect(error?.code == .noFault)
    }

    @Test func `a program that can't be started is named`() throws {
        let codec = JournalCodec(for: Store(Dial()) { dial })
        let report = Report(
            from: try codec.states.encode(Dial(), at: 0, by: codec.fingerprint), [])
        let error = #expect(throws: ReportError.self) {
            let _: ShortestLog<Dial> = try report.shortest(
                in: dial, dyingWith: "", in: FoldingProgram("/nowhere/at-all"))
        }
        #expect(error?.code == .child)
        #expect(error?.description.contains("/nowhere/at-all can't be started") == true)
    }
}

extension DialAction {
    fileprivate var isTurn: Bool {
        if case .turn = self { true } else { false }
    }
}
#endif
