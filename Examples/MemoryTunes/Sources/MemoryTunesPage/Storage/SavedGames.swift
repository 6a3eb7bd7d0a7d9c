// SPDX-License-Identifier: MIT

public import Foundation
public import MemoryTunesCore
public import OnwardJournal
public import OnwardServer

/// Keeps what lasts from launch to launch: for each visitor a file with the category and the
/// game.
///
/// Files have the names of their visitors, which are secrets; so only the user's own account may read
/// them. What can't be read is set aside.
public struct SavedGames: Sendable {
    /// The largest file that is read, in bytes.
    static let sizeLimit = 256 * 1_024

    private let folder: URL

    /// The folder of this app where the platform keeps what belongs to apps.
    ///
    /// On Linux that is `$XDG_DATA_HOME/MemoryTunes`, or `~/.local/share/MemoryTunes` (XDG Base
    /// Directory Specification); on macOS `~/Library/Application Support/MemoryTunes`.
    public static func standardFolder(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        let name = "MemoryTunes"
        if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path).appendingPathComponent(name)
        }
        let home = FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        return home.appendingPathComponent("Library/Application Support/\(name)")
        #else
        return home.appendingPathComponent(".local/share/\(name)")
        #endif
    }

    /// Files in a folder, which is made if it isn't there; of more than `limit` the oldest go.
    ///
    /// - Throws: The system's error when the folder can't be made, read or kept from others.
    public init(in folder: URL, limit: Int = 1_000) throws {
        self.folder = folder
        try folder.makePrivateFolder()
        let files = FileManager.default
        let key = URLResourceKey.contentModificationDateKey
        let games = try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: [key])
            .filter { $0.lastPathComponent.contains(".json") }
        guard games.count > limit else { return }
        func date(_ url: URL) -> Date {
            (try? url.resourceValues(forKeys: [key]).contentModificationDate) ?? .distantPast
        }
        for game in games.sorted(by: { date($0) < date($1) }).dropLast(limit) {
            try? files.removeItem(at: game)
        }
    }

    /// A name for the cookies of visitors whose games are here, and nowhere else.
    public var cookieName: String {
        // FNV-1a (Fowler, Noll and Vo): it only has to differ from folder to folder.
        let hash = folder.standardizedFileURL.path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return "memorytunes-\(String(hash, radix: 36))"
    }

    /// What is saved for a visitor.
    ///
    /// - Parameters:
    ///   - visitor: The visitor.
    ///   - report: Is notified of what can't be read or written.
    /// - Returns: The value, for ``OnwardJournal/Saving``.
    public func value(
        of visitor: VisitorID,
        report: @escaping @Sendable (SavingError) -> Void = SavingError.print
    ) -> SavedValue<SavedState> {
        SavedValue(
            in: SavingFile(url(visitor).path, limit: Self.sizeLimit, isPrivate: true),
            report: report)
    }

    /// What was saved; nil where nothing was, or where it can't be read, which is reported.
    static func load(_ value: SavedValue<SavedState>) -> SavedState? {
        do {
            return try value.load()
        } catch {
            SavingError.print(error)
            return nil
        }
    }

    private func url(_ visitor: VisitorID) -> URL {
        folder.appendingPathComponent("\(visitor.fileName).json")
    }
}

extension URL {
    /// Makes a folder that only the user's own account may enter, also if it was there before.
    ///
    /// - Throws: The system's error.
    func makePrivateFolder() throws {
        let files = FileManager.default
        let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try files.createDirectory(
            at: self, withIntermediateDirectories: true, attributes: permissions)
        try files.setAttributes(permissions, ofItemAtPath: path)
    }
}
