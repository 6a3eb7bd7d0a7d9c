// SPDX-License-Identifier: MIT

import Foundation
import OnwardJournal
import OnwardServer

/// What one visitor couldn't send yet: a file that is there only while something waits.
///
/// With it lie the requests that were answered, so that one that comes again does nothing twice.
struct UnsentFile: ValueStorage {
    let file: SavingFile
    let requests: ProcessedRequests

    func read() throws -> [UInt8]? {
        guard let bytes = try file.read() else { return nil }
        // Whether it is broken is for the reader of the value to say.
        let limits = DataLimits(bytes: file.limit)
        guard var form = try? DataFormat.json.value(of: bytes, limits: limits) else { return bytes }
        requests.restore(form["requests"]?.list?.compactMap(\.text) ?? [])
        form["requests"] = nil  // what is read is what was written
        return DataFormat.json.bytes(of: form)
    }

    func write(_ bytes: [UInt8]) throws {
        var form = try DataFormat.json.value(of: bytes, limits: DataLimits(bytes: bytes.count))
        if form["value"] == [] { return try remove() }
        form["requests"] = .list(requests.ids.map { .text($0) })
        try file.write(DataFormat.json.bytes(of: form))
    }

    func setAside() throws { try file.setAside() }

    func keepBeside(_ contents: [UInt8]) throws { try file.keepBeside(contents) }

    private func remove() throws {
        do {
            try FileManager.default.removeItem(atPath: file.path)
        } catch CocoaError.fileNoSuchFile {
            // It was never there.
        }
    }
}
