// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// The folder of one session: its segments, and the mapped file.
///
/// Its name begins with the time at which the session began, so names are in the order of the sessions.
struct SessionFolder: Sendable {
    let path: String
    let mark: MarkFile?

    /// Makes a folder beside that of the session before; those of older ones are removed.
    init(in parent: String) throws(ReportError) {
        let manager = FileManager.default
        for old in Self.sessions(in: parent).dropFirst() { try? manager.removeItem(atPath: old) }
        let time = String(UInt64(max(Timestamp.now().nanosecondsSince1970, 0)), radix: 16)
        let name = "session-" + String(repeating: "0", count: 16 - time.count) + time
        path = URL(fileURLWithPath: parent).appendingPathComponent(name).path
        do {
            try manager.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: NSNumber(value: 0o700)])
        } catch {
            throw ReportError(.unwritable, "\(path) can't be made: \(error)")
        }
        mark = MarkFile(at: Self.mark(of: path))
    }

    /// The folders of sessions, the newest first.
    static func sessions(in parent: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix("session-") }.sorted(by: >)
            .map { URL(fileURLWithPath: parent).appendingPathComponent($0).path }
    }

    static func mark(of path: String) -> String {
        URL(fileURLWithPath: path).appendingPathComponent("mark").path
    }

    /// The files of segments, the oldest first.
    static func segments(of path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix("segment-") }.sorted()
            .map { URL(fileURLWithPath: path).appendingPathComponent($0).path }
    }

    private func segment(_ number: Int) -> String {
        let digits = String(number)
        let name = "segment-" + String(repeating: "0", count: max(8 - digits.count, 0)) + digits
        return URL(fileURLWithPath: path).appendingPathComponent(name).path
    }

    func makeSegment(_ number: Int) throws -> FileHandle {
        let file = segment(number)
        let attributes = [FileAttributeKey.posixPermissions: NSNumber(value: 0o600)]
        guard FileManager.default.createFile(atPath: file, contents: nil, attributes: attributes)
        else { throw CocoaError(.fileWriteUnknown) }
        return try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    }

    func removeSegment(_ number: Int) {
        try? FileManager.default.removeItem(atPath: segment(number))
    }
}
