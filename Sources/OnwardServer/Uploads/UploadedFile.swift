// SPDX-License-Identifier: MIT
#if Server

/// A file that a visitor sent with an action: what is known of it, without its contents.
///
/// ```swift
/// enum AlbumAction: Action, Codable {
///     case add(title: String, picture: UploadedFile)
///     case attach(papers: [UploadedFile], cover: UploadedFile?)
/// }
/// ```
///
/// A field of this type is filled in from `<input type="file" name="picture">` in a form with
/// `enctype="multipart/form-data"`. It is a plain value: a journal, an inspector and a replay see
/// nothing else. An effect takes the file itself from ``Uploads``.
///
/// From a page, it is decoded only if the server received the file with the same post, so nobody
/// can name a file that somebody else sent.
public struct UploadedFile: Codable, Hashable, Sendable, Identifiable {
    /// Identifies the file on the server that received it; nobody can guess it.
    public let id: String
    /// What the visitor calls it: the last part of a name, without control characters and marks
    /// of text direction, at most 200 bytes.
    ///
    /// It says nothing certain about the contents. Choose the names of your own files yourself.
    public let name: String
    /// The number of its bytes.
    public let size: Int
    /// The SHA-256 of its contents, as 64 hexadecimal digits in lower case.
    public let sha256: String

    /// Creates a value, for tests of what doesn't need the file.
    ///
    /// - Parameters:
    ///   - id: Identifies the file.
    ///   - name: What the visitor calls it.
    ///   - size: The number of its bytes.
    ///   - sha256: The hash of its contents.
    public init(id: String, name: String, size: Int, sha256: String) {
        self.id = id
        self.name = name
        self.size = size
        self.sha256 = sha256
    }

    /// Decodes a value: from a page only one whose file came with the same post.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ActionDecoder {
            self = try decoder.receivedFile()
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        size = try container.decode(Int.self, forKey: .size)
        sha256 = try container.decode(String.self, forKey: .sha256)
    }

    /// What stays the same when the file is sent again.
    var contents: Contents { Contents(name: name, size: size, sha256: sha256) }

    struct Contents: Hashable, Sendable {
        let name: String
        let size: Int
        let sha256: String
    }
}
#endif
