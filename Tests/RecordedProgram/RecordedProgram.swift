// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardReports

/// A lock that breaks when it is turned too often: for a fault that ends the process.
struct Dial: Codable, Sendable, Equatable {
    var turned = 0
    var clicks = 0
}

enum DialAction: Action, Codable, Equatable {
    case turn(Int)
    case click(by: String)
}

let dial = Feature<Dial> {
    Reduce { (dial: inout Dial, action: DialAction) in
        switch action {
        case .turn(let angle):
            dial.turned += angle
            precondition(dial.turned < 1_000, "The dial was turned too far")
        case .click: dial.clicks += 1
        }
    }
}

/// Folds a report, records until it is killed or dies in a reducer, or measures what recording costs.
///
/// - `--record FOLDER COUNT` dispatches that many actions, waits until they are on disk, says so, and goes on until it is
///   killed.
/// - `--die FOLDER COUNT` does the same, and then traps in a reducer.
/// - `--measure FOLDER` prints what a recorder costs.
@main
struct RecordedProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if try FoldingProgram.fold(arguments, in: dial) as Dial? != nil { return }
        guard arguments.count > 2 else { exit(64) }
        if arguments[1] == "--measure" { return try await Measurement(arguments[2]).run() }
        let store = Store(Dial()) { dial }
        var options = SessionOptions()
        options.app = "Dial 1.0"
        options.keepsFatalPayload = arguments.contains("--payload")
        let recorder = try SessionRecorder(
            store, at: arguments[2], keeping: .minutes(10), options: options)
        let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        for _ in 0..<count { store.dispatch(DialAction.click(by: "Emma")) }
        await recorder.flush()
        try FileHandle.standardOutput.write(contentsOf: Data("ready\n".utf8))
        if arguments[1] == "--die" {
            for _ in 0..<3 { store.dispatch(DialAction.click(by: "Jane")) }
            store.dispatch(DialAction.turn(2_000))
        }
        while true {
            store.dispatch(DialAction.click(by: "Jane"))
            try await Task.sleep(for: .milliseconds(1))
        }
        _ = recorder
    }
}
