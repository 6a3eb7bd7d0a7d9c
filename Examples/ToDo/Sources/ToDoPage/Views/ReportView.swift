// SPDX-License-Identifier: MIT

/// The way to a report of what has happened, to read it and to send it.
struct ReportView: Equatable, Sendable {
    let canReport: Bool
}
