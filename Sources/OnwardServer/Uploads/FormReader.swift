// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import OnwardJournal

/// Reads a form with files as its body arrives: fields into memory, files into their folder.
struct FormReader {
    /// The fields and files of a form.
    struct Form {
        let fields: DataValue
        let files: ReceivedFiles
    }

    /// A file that isn't accepted, in the field of that name.
    struct Refusal: Error {
        let field: String
        let kind: FieldMistake.Kind
        /// The action's name, if it came before the file.
        let action: String
    }

    private let uploads: Uploads
    private let limits: UploadLimits
    private let owner: UploadTable.Owner
    /// Whether line breaks of texts are single characters, as a script reads them.
    private let isScripted: Bool
    private var parser: MultipartParser
    private var fields: [String: [DataValue]] = [:]
    private var files: [UploadedFile] = []
    private var part: Part?
    private var parts = 0
    /// How many bytes the fields have.
    private var size = 0

    private enum Part {
        case text(name: String, bytes: [UInt8])
        case file(field: String, Uploads.ArrivingFile)
        /// Nothing was chosen.
        case blank(field: String)
    }

    init(
        boundary: String, uploads: Uploads, limits: UploadLimits, owner: UploadTable.Owner,
        isScripted: Bool
    ) {
        parser = MultipartParser(boundary: boundary)
        (self.uploads, self.limits) = (uploads, limits)
        (self.owner, self.isScripted) = (owner, isScripted)
    }

    /// Reads a piece of the body.
    ///
    /// - Throws: ``Refusal`` of a file, ``MultipartError``, ``Rejection`` or ``UploadError``. Then
    ///   the form has to be discarded.
    mutating func read(_ bytes: some Sequence<UInt8>) async throws {
        for event in try parser.read(bytes) {
            switch event {
            case .part(let head): try await begin(head)
            case .content(let bytes): try await take(bytes)
            case .end: try await end()
            }
        }
    }

    /// Ends the form.
    ///
    /// - Throws: ``MultipartError`` if the body isn't complete.
    func finish() throws(MultipartError) -> Form {
        try parser.finish()
        return Form(
            fields: .object(fields.mapValues { $0.count == 1 ? $0[0] : .list($0) }),
            files: ReceivedFiles(files, limits: limits))
    }

    /// Removes what has arrived.
    func discard() {
        if case .file(_, let file) = part { file.discard() }
        uploads.discard(files)
    }

    private mutating func begin(_ head: MultipartHead) async throws {
        parts += 1
        guard parts <= DataValue.fieldLimit else {
            throw Rejection(.badRequest, "The form has more than \(DataValue.fieldLimit) fields.")
        }
        try count(head.name.utf8.count)
        guard let fileName = head.fileName else {
            part = .text(name: head.name, bytes: [])
            return
        }
        if fileName.isEmpty {
            part = .blank(field: head.name)
            return
        }
        guard files.count < limits.filesPerPost else {
            throw refusal(of: head.name, .tooManyFiles(limits.filesPerPost))
        }
        do throws(Uploads.Failure) {
            let file = try await uploads.begin(fileName, for: owner, within: limits)
            part = .file(field: head.name, file)
        } catch {
            throw refusal(of: head.name, error)
        }
    }

    private mutating func take(_ bytes: [UInt8]) async throws {
        switch part {
        case .text(let name, var text):
            try count(bytes.count)
            part = nil  // Without a second owner it isn't copied.
            text += bytes
            part = .text(name: name, bytes: text)
        case .file(let field, var file):
            do throws(Uploads.Failure) {
                try await file.write(bytes)
                part = .file(field: field, file)
            } catch {
                throw refusal(of: field, error)
            }
        // Something without a name was chosen, such as a picture from a clipboard.
        case .blank(let field):
            try await begin(MultipartHead(name: field, fileName: "file"))
            try await take(bytes)
        case nil: break
        }
    }

    private mutating func end() async throws {
        defer { part = nil }
        switch part {
        case .text(let name, let bytes):
            guard var text = String(validating: bytes, as: UTF8.self) else {
                throw Rejection.badEncoding
            }
            if isScripted { text = text.replacing("\r\n", with: "\n") }
            fields[name, default: []].append(.text(text))
        case .file(let field, let file):
            do throws(Uploads.Failure) {
                let received = try await file.finish()
                fields[field, default: []].append(ReceivedFiles.field(files.count))
                files.append(received)
            } catch {
                file.discard()
                throw refusal(of: field, error)
            }
        case .blank, nil: break
        }
    }

    private mutating func count(_ bytes: Int) throws(Rejection) {
        size += bytes
        guard size <= RequestChecks.bodyLimit else { throw .tooLarge(RequestChecks.bodyLimit) }
    }

    private func refusal(of field: String, _ failure: Uploads.Failure) -> any Error {
        switch failure {
        case .refused(.tooLarge): refusal(of: field, .fileTooLarge(limits.bytesPerFile))
        case .refused(.noRoom): refusal(of: field, .noRoomForFile)
        case .unusable(let error): error
        }
    }

    private func refusal(of field: String, _ kind: FieldMistake.Kind) -> any Error {
        Refusal(field: field, kind: kind, action: fields["type"]?.first?.text ?? "")
    }
}
#endif
