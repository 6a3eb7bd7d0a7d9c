// SPDX-License-Identifier: MIT

public import Foundation

/// Where the programs keep what outlives them.
public enum DataFolder {
    /// The folder of this app where the platform keeps what belongs to apps.
    ///
    /// On Linux that is `$XDG_DATA_HOME/ToDo`, or `~/.local/share/ToDo` (XDG Base Directory
    /// Specification); on macOS `~/Library/Application Support/ToDo`.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path).appendingPathComponent("ToDo")
        }
        let home = FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        return home.appendingPathComponent("Library/Application Support/ToDo")
        #else
        return home.appendingPathComponent(".local/share/ToDo")
        #endif
    }

    /// Makes a folder that only the user's own account may enter.
    ///
    /// - Throws: The system's error.
    public static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
}
