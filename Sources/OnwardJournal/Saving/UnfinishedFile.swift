// SPDX-License-Identifier: MIT

internal import Foundation

/// A new file beside the one that it replaces once it is complete.
///
/// Its name is random: `settings.json.saving-5E3A90C1-…`. Only its age distinguishes what a killed
/// program left from what another one is writing; process ids are meaningless where programs in
/// several containers share a folder.
struct UnfinishedFile {
    /// What separates the name of the file from the random part.
    private static let mark = ".saving-"
    /// The age in seconds after which a file is no longer being written by anyone.
    private static let longest: TimeInterval = 3_600

    private let path: String
    private let temporary: String
    private let files: any FileSteps

    /// A file that will end up at a path, or under another name beside it.
    init(for path: String, as name: String? = nil, on files: any FileSteps = SystemFiles()) {
        self.path = name ?? path
        self.files = files
        temporary = "\(path)\(Self.mark)\(UUID().uuidString)"
    }

    /// Writes the file to the disk and moves it into place; nil means the default permissions.
    ///
    /// The contents are on the disk before they get the name, and the name is before this returns:
    /// a machine that stops has the old file or the new one, and the new one once this has
    /// returned.
    func write(_ bytes: [UInt8], permissions: Int?) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try files.makeFolder(folder)
        try files.makeFile(temporary, permissions: permissions)
        do {
            try files.write(bytes, to: temporary)
            try files.synchronize(temporary)
            try files.move(temporary, to: path)
        } catch {
            try? files.remove(temporary)
            throw error
        }
        try files.synchronizeFolder(folder)
    }

    /// Removes what programs left that ended while they wrote a file at a path.
    static func removeAll(for path: String) {
        let (manager, url) = (FileManager.default, URL(fileURLWithPath: path))
        let folder = url.deletingLastPathComponent()
        let prefix = url.lastPathComponent + mark
        for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) {
            let place = folder.appendingPathComponent(name).path
            let attributes = try? manager.attributesOfItem(atPath: place)
            guard let changed = attributes?[.modificationDate] as? Date,
                changed.timeIntervalSinceNow < -longest,
                attributes?[.type] as? FileAttributeType == .typeRegular
            else { continue }
            try? manager.removeItem(atPath: place)
        }
    }
}
