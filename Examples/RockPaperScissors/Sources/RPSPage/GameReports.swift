// SPDX-License-Identifier: MIT

public import Onward
public import OnwardReports
import OnwardServer
public import RockPaperScissorsCore

/// Records a game, so that players can download what happened before a problem, and send it.
public struct GameReports: Sendable {
    private let store: Store<Game>
    private let recorder: SessionRecorder<Game>

    /// Begins to record.
    ///
    /// - Parameters:
    ///   - store: The game.
    ///   - folder: Where the last ten minutes are kept.
    /// - Throws: `ReportError` where the folder can't be written.
    public init(of store: Store<Game>, in folder: String) throws(ReportError) {
        self.store = store
        var options = SessionOptions()
        options.app = "Rock, paper, scissors"
        recorder = try SessionRecorder(
            store, at: folder, keeping: .minutes(10), options: options)
    }

    /// The game up to the end of the round; nil while one is played, as nobody may see what player 1 has chosen.
    ///
    /// - Throws: `ReportError` where the recording can't be read.
    public func report() async throws -> Report? {
        let moment = store.log.snapshot
        guard moment.state.result != nil else { return nil }
        let report = try await recorder.session().report(in: rockPaperScissors)
        // The next round may have begun meanwhile.
        return report.end == moment.version ? report : nil
    }

    /// The report as files of the page, to read and to send.
    var files: AssetFolder {
        AssetFolder("/reports/") { name in
            guard let report = try await report() else { return nil }
            switch name {
            case "problem.onwardreport":
                return .init(
                    Asset(
                        path: name, contentType: "application/octet-stream",
                        bytes: try report.bytes()))
            case "problem.txt":
                return .init(
                    Asset(
                        path: name, contentType: "text/plain; charset=utf-8",
                        bytes: Array(report.text().utf8)))
            default: return nil
            }
        }
    }
}
