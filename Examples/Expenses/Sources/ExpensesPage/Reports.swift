// SPDX-License-Identifier: MIT

import OnwardReports
import OnwardServer

extension AssetFolder {
    /// A report as files of the page, to read and to send.
    static func reports(_ report: @escaping @Sendable () async throws -> Report) -> AssetFolder {
        AssetFolder("/reports/") { name in
            switch name {
            case "problem.onwardreport":
                .init(
                    Asset(
                        path: name, contentType: "application/octet-stream",
                        bytes: try await report().bytes()))
            case "problem.txt":
                .init(
                    Asset(
                        path: name, contentType: "text/plain; charset=utf-8",
                        bytes: Array(try await report().text().utf8)))
            default: nil
            }
        }
    }
}
