// SPDX-License-Identifier: MIT

public import Foundation
import OnwardJournal
import OnwardServer
import ToDoFiles
import ToDoSync

/// What visitors couldn't send yet: a file for each of whom something waits.
///
/// Files have the names of their visitors, which are secrets; so only the user's own account may
/// enter the folder.
public struct UnsentFolder: Sendable {
    private let folder: URL
    private let report: @Sendable (SavingError) -> Void

    /// A folder, which is made if it isn't there; of more than `limit` files the oldest go.
    ///
    /// - Throws: The system's error when the folder can't be made or read.
    public init(
        _ folder: URL, limit: Int = 1_000,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        (self.folder, self.report) = (folder, { report($0) })
        try DataFolder.make(folder)
        let files = FileManager.default
        let key = URLResourceKey.contentModificationDateKey
        let found = try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: [key])
        guard found.count > limit else { return }
        func date(_ url: URL) -> Date {
            (try? url.resourceValues(forKeys: [key]).contentModificationDate) ?? .distantPast
        }
        for file in found.sorted(by: { date($0) < date($1) }).dropLast(limit) {
            try? files.removeItem(at: file)
        }
    }

    /// What waits of a visitor.
    func changes(of visitor: VisitorID, _ requests: ProcessedRequests) -> SavedValue<[Change]> {
        let path = folder.appendingPathComponent("\(visitor.fileName).json").path
        return SavedValue(
            in: UnsentFile(file: SavingFile(path), requests: requests), report: report)
    }

    /// What waits; nil where nothing does, or where it can't be read, which is reported.
    func load(_ changes: SavedValue<[Change]>) -> [Change]? {
        do {
            return try changes.load()
        } catch {
            report(error)
            return nil
        }
    }
}
