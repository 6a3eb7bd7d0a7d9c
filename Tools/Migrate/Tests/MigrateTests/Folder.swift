// SPDX-License-Identifier: MIT

import Foundation

/// A folder for one test, removed at its end.
final class Folder {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-\(UUID().uuidString)", isDirectory: true)

    init(_ files: [String: Data]) throws {
        for (path, data) in files {
            let file = url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
