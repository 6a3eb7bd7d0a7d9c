// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardServer

/// The pictures that visitors have added, for as long as the program runs.
actor Album {
    /// What a picture is, as its first bytes say: its name may say anything.
    enum Kind: String {
        case png, jpeg, gif, webp

        init?(_ bytes: [UInt8]) {
            switch bytes.prefix(12) {
            case let head where head.starts(with: [0x89, 0x50, 0x4E, 0x47]): self = .png
            case let head where head.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
            case let head where head.starts(with: "GIF8".utf8): self = .gif
            case let head
            where head.starts(with: "RIFF".utf8) && head.suffix(4).elementsEqual("WEBP".utf8):
                self = .webp
            default: return nil
            }
        }
    }

    struct NoPicture: Error {}

    /// How many there are at most; the oldest go first.
    private static let limit = 500
    private let uploads: Uploads
    private var pictures: [String: (file: TakenFile, kind: Kind)] = [:]
    private var order: [String] = []

    init(_ uploads: Uploads) { self.uploads = uploads }

    /// Takes a file that a visitor has sent, and keeps it if it is a picture.
    func add(_ sent: UploadedFile) async throws -> String {
        let file = try await uploads.take(sent)
        guard let kind = Kind(try await file.bytes()) else { throw NoPicture() }
        let name = UUID().uuidString
        pictures[name] = (file, kind)
        order.append(name)
        // A file goes with the last value that holds it.
        if order.count > Self.limit { pictures[order.removeFirst()] = nil }
        return name
    }

    /// A picture as the page loads it.
    func picture(named name: String) async throws -> AssetFolder.File? {
        guard let (file, kind) = pictures[name] else { return nil }
        let asset = Asset(
            path: name, contentType: "image/\(kind.rawValue)", bytes: try await file.bytes())
        return AssetFolder.File(asset, tag: file.file.sha256, maximumAge: .seconds(3_600))
    }
}

/// What becomes of a picture that was sent; only the gallery itself says so.
enum AlbumAction: Action, Codable {
    case hung(Gallery.Own)
    case failed(name: String)
}
