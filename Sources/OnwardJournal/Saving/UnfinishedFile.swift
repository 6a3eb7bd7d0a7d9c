// SPDX-License-Identifier: MIT

internal import Foundation

/// A new file beside the one whose place it takes once it is complete.
///
/// Its name is random: `settings.json.saving-5E3A90C1-…`. What a killed program left differs from what
/// another one is writing by its age; the number of a process says nothing where programs in several
/// containers share a folder.
struct UnfinishedFile {
    /// What stands between the name of the file and what is random.
    private static let mark = ".saving-"
    /// The age from which on nobody writes a file any more, in seconds.
    private static let longest: TimeInterval = 3_600

    private let path: String
    private let temporary: String
    private let files: any FileSteps

    /// A file that is going to be at a path.
    init(for path: String, on files: any FileSteps = SystemFiles()) {
        self.path = path
        self.files = files
        temporary = "\(path)\(Self.mark)\(UUID().uuidString)"
    }

    /// Writes the file, down to the disk, and puts it in its place; nil means the default permissions.
    ///
    /// The contents are on the disk before they take the name, and the name is before this returns: a machine
    /// that stops has the old file or the new one, and the new one once this has returned.
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

    /// Removes what was left by programs that ended while they wrote a file at a path.
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
