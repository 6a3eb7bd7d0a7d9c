// SPDX-License-Identifier: MIT

import RockPaperScissorsCore

/// The way to a report of what has happened; it opens when the round is over.
struct ReportView: Equatable, Sendable {
    let canReport: Bool
    let isOffered: Bool

    init(_ game: Game, canReport: Bool) {
        self.canReport = canReport
        isOffered = canReport && game.result != nil
    }
}
