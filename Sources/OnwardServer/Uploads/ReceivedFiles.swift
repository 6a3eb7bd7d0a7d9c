// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// The files that came with a post, and which of them its action has a field for.
///
/// Those of a post that is sent again are equal to the first ones, although they have other ids.
final class ReceivedFiles: Hashable, Sendable {
    let all: [UploadedFile]
    /// What a page may send; nil if it takes no files.
    let limits: UploadLimits?
    private let claimed = Guarded<Set<Int>>([])

    /// Of a post without files.
    static let none = ReceivedFiles([], limits: nil)

    init(_ all: [UploadedFile], limits: UploadLimits?) {
        self.all = all
        self.limits = limits
    }

    /// What stands for a file in the fields of a post.
    static func field(_ index: Int) -> DataValue {
        .object(["upload": .integer(Int64(index))])
    }

    /// The file that a field stands for, which is the action's from now on; nil if none came.
    func claim(_ field: DataValue) -> UploadedFile? {
        guard case .object(let parts) = field, parts.count == 1,
            let index = parts["upload"]?.wireInteger(Int.self), all.indices.contains(index)
        else { return nil }
        claimed.withValue { _ = $0.insert(index) }
        return all[index]
    }

    /// The files that no field of the action stands for.
    var unclaimed: [UploadedFile] {
        let claimed = claimed.withValue { $0 }
        return all.enumerated().filter { !claimed.contains($0.offset) }.map(\.element)
    }

    static func == (left: ReceivedFiles, right: ReceivedFiles) -> Bool {
        left.all.map(\.contents) == right.all.map(\.contents)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(all.map(\.contents)) }
}

/// A file that a field names, but that didn't come with the post.
struct MissingFile: Error {
    let codingPath: [any CodingKey]
    let kind: FieldMistake.Kind
}

extension ActionDecoder {
    /// The file that came for this field.
    ///
    /// - Throws: ``MissingFile`` if none did. A script says name and size of what it doesn't send
    ///   because it is too large, and in what number.
    func receivedFile() throws(MissingFile) -> UploadedFile {
        if let file = files.claim(value) { return file }
        var kind = FieldMistake.Kind.noFile
        if case .object(let parts) = value, let limits = files.limits {
            let count = parts["of"]?.wireInteger(Int.self) ?? 1
            let size = parts["size"]?.wireInteger(Int.self) ?? 0
            if count > limits.filesPerPost { kind = .tooManyFiles(limits.filesPerPost) }
            if size > limits.bytesPerFile { kind = .fileTooLarge(limits.bytesPerFile) }
        }
        throw MissingFile(codingPath: codingPath, kind: kind)
    }
}
#endif
