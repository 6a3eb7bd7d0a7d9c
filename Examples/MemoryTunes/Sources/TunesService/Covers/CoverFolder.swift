// SPDX-License-Identifier: MIT

import Foundation

/// Pictures in a folder on disk, within a limit; the oldest go first.
///
/// A file is written beside its place and then moved there, so whoever reads sees a whole one. It
/// begins with a line that says what it is, of which address, and how long; the fingerprint of the
/// content stands there as well. A file that isn't what it says is removed and counts as absent. In
/// the folder only files named `*.cover` are touched.
struct CoverFolder {
    private let folder: URL
    private var files: RecentEntries<CoverName, Void>

    /// Opens a folder; it is made if it isn't there.
    ///
    /// - Complexity: O(files).
    /// - Throws: The system's error when it can't be made or read.
    init(_ folder: URL, limit: Int) throws {
        self.folder = folder
        files = RecentEntries(limit: limit)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let keys: [URLResourceKey] = [.contentModificationDateKey, .fileSizeKey]
        let found = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: keys)
        let covers = found.compactMap { url -> (name: CoverName, size: Int, date: Date)? in
            guard url.pathExtension == Self.suffix,
                let values = try? url.resourceValues(forKeys: Set(keys)),
                let name = CoverName(url.deletingPathExtension().lastPathComponent)
            else { return nil }
            return (name, values.fileSize ?? 0, values.contentModificationDate ?? .distantPast)
        }
        for cover in covers.sorted(by: { $0.date < $1.date }) { note(cover.name, cover.size) }
    }

    /// The bytes that the files take together.
    var size: Int { files.cost }

    /// The picture of an address.
    mutating func image(at address: String) -> CoverImage? {
        let name = CoverName(address: address)
        guard files.use(name) != nil else { return nil }
        guard let image = read(name, address) else {
            remove(name)
            return nil
        }
        // So that it is among the newest at the next launch, too.
        try? FileManager.default.setAttributes(
            [.modificationDate: Date()], ofItemAtPath: url(name).path)
        return image
    }

    /// Keeps a picture.
    ///
    /// - Throws: The system's error when the disk doesn't take it.
    mutating func keep(_ image: CoverImage, at address: String) throws {
        let name = CoverName(address: address)
        let file = Data(Self.head(image.tag, image.bytes.count, address).utf8) + image.bytes
        guard file.count <= files.limit else { return }
        try file.write(to: url(name), options: .atomic)
        note(name, file.count)
    }

    private mutating func note(_ name: CoverName, _ size: Int) {
        for name in files.insert((), for: name, cost: size) { remove(name) }
    }

    private mutating func remove(_ name: CoverName) {
        files.remove(name)
        try? FileManager.default.removeItem(at: url(name))
    }

    private func read(_ name: CoverName, _ address: String) -> CoverImage? {
        guard let file = try? Data(contentsOf: url(name)),
            let end = file.firstIndex(of: UInt8(ascii: "\n")),
            let image = CoverImage(Array(file[file.index(after: end)...])),
            file[...end].elementsEqual(Self.head(image.tag, image.bytes.count, address).utf8)
        else { return nil }
        return image
    }

    private func url(_ name: CoverName) -> URL {
        folder.appendingPathComponent("\(name).\(Self.suffix)")
    }

    private static let suffix = "cover"

    private static func head(_ tag: String, _ length: Int, _ address: String) -> String {
        "cover 1 \(tag) \(length) \(address)\n"
    }
}
