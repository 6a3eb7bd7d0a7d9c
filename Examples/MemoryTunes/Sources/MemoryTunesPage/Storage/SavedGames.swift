// SPDX-License-Identifier: MIT

public import Foundation
public import MemoryTunesCore
public import OnwardServer

/// What lasts from launch to launch: for each visitor a JSON file with the category and the game.
///
/// A file is written beside its place and then moved there, so there is always a whole one. What can't
/// be read counts as nothing. Files have the names of their visitors, which are secrets; so only the
/// user's own account may read them.
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
            .filter { $0.pathExtension == "json" }
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

    /// What was saved for a visitor; nil if nothing was.
    public func load(_ visitor: VisitorID) -> SavedState? {
        guard let data = read(url(visitor)),
            let saved = try? JSONDecoder().decode(SavedState.self, from: data)
        else { return nil }
        guard let game = saved.game, game.isSound else {
            return SavedState(
                currentCategoryKey: saved.currentCategoryKey, game: nil, requests: saved.requests)
        }
        return saved
    }

    /// Saves what a visitor's next launch is to know.
    ///
    /// - Throws: The system's error when the disk doesn't take it.
    public func save(_ state: SavedState, of visitor: VisitorID) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let url = url(visitor)
        try encoder.encode(state).write(to: url, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    /// The content of a file; nil for what is none, such as a pipe, of which nobody knows when it ends.
    private func read(_ url: URL) -> Data? {
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let data = try? file.read(upToCount: Self.sizeLimit + 1), data.count <= Self.sizeLimit
        else { return nil }
        return data
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

extension Game {
    /// Whether the cards are those of a game: none, or eight pairs in their places.
    fileprivate var isSound: Bool {
        let pairs = Dictionary(grouping: cards, by: \.cover)
        return switch phase {
        case .playing, .finished:
            pairs.count == Self.pairCount && pairs.values.allSatisfy { $0.count == 2 }
                && cards.indices.allSatisfy { cards[$0].id == $0 }
        case .idle, .loading, .failed: cards.isEmpty
        }
    }
}
