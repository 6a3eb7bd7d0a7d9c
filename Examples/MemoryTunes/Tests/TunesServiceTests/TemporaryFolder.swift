// SPDX-License-Identifier: MIT

import Foundation

/// A folder for one test, which goes with it.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("memorytunes-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
