// SPDX-License-Identifier: MIT
#if Server

import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Mustache
import NIOCore
import Onward
import OnwardJournal
import Testing

@testable import OnwardServer

/// An album that visitors send pictures to.
private struct Album: Equatable, Sendable {
    var pictures: [UploadedFile] = []
    var titles: [String] = []
}

private enum AlbumAction: Action, Codable, Equatable {
    static let actionName = "AlbumAction"

    case add(title: String, picture: UploadedFile)
    case attach(papers: [UploadedFile], cover: UploadedFile?)
    case wrap(Wrapped)
    case rename(title: String)

    /// A type that decodes the file by itself.
    struct Wrapped: Codable, Equatable {
        let file: UploadedFile
        init(from decoder: any Decoder) throws { file = try UploadedFile(from: decoder) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `Posts with files` {
    private let folder = TestFolder()
    private let uploads: Uploads
    private let store: Store<Album>
    private let lines = LogLines()
    private var options = ServerOptions(port: 0)

    init() {
        uploads = Uploads(in: folder.path)
        store = Store(Album()) {
            Reduce { (album: inout Album, action: AlbumAction) in
                switch action {
                case .add(let title, let picture):
                    album.titles.append(title)
                    album.pictures.append(picture)
                case .attach(let papers, let cover):
                    album.pictures += papers + (cover.map { [$0] } ?? [])
                case .wrap(let wrapped): album.pictures.append(wrapped.file)
                case .rename(let title): album.titles.append(title)
                }
            }
        }
        options.logger = Logger(label: "test") { [lines] _ in LineCollector(lines: lines) }
        options.uploads = uploads
    }

    private func test(
        _ setup: TestingSetup = .router, hosting: Hosting<Album>? = nil,
        word: @escaping @Sendable (FieldMistake) -> String? = { _ in nil },
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let page = try Page<Album>(
            title: "Album", templates: MustacheLibrary(), accepts: [AlbumAction.self]
        ) { _ in [] }
        .admitting(AlbumAction.self) { action, _, _ in
            if case .rename("bad") = action { return .refuse("Not this one.", field: "title") }
            if case .add("bad", _) = action { return .refuse("Not this one.", field: "title") }
            return .dispatch(action)
        }
        .wordingMistakes(word)
        try await PageServer(page, hosting: hosting ?? .shared(store), options: options)
            .application().test(setup, body)
    }

    private func isEmpty() async {
        while uploads.amount != (0, 0) || !folder.files.isEmpty { await Task.yield() }
    }

    private static let script: HTTPFields = [.accept: "application/json"]

    @Test func `an action carries name, size and hash, and an effect takes the bytes`() async throws
    {
        let (files, taken) = AsyncStream.makeStream(of: [UInt8].self)
        let uploads = uploads
        let store = Store(Album()) {
            Reduce { (_: inout Album, _: AlbumAction) in }
            OnAction { (action: AlbumAction, _) in
                guard case .add(_, let picture) = action else { return .none }
                return .run { taken.yield(try await uploads.take(picture).bytes()) }
            }
        }
        try await test(hosting: .shared(store)) { client in
            let answer = try await client.post(
                form("AlbumAction/add", ("title", nil, "Sea"), ("picture", "sea.png", "blue")))
            #expect(answer.status == .seeOther && answer.headers[.location] == "/")
        }
        #expect(await files.first { _ in true } == Array("blue".utf8))
        await isEmpty()
    }

    @Test func `the value in the log is all that there is of it`() async throws {
        try await test { client in
            _ = try await client.post(
                form("AlbumAction/add", ("title", nil, "Sea"), ("picture", "sea.png", "blue")))
        }
        let file = try #require(store.state.pictures.first)
        let action = AlbumAction.add(title: "Sea", picture: file)
        let text = try JSONEncoder().encode(action)
        #expect(try JSONDecoder().decode(AlbumAction.self, from: text) == action)
        #expect(String(decoding: text, as: UTF8.self).count < 300)
        // Replaying it opens nothing: the file can still be taken.
        let replay = Store(Album()) {
            Reduce { (album: inout Album, action: AlbumAction) in
                if case .add(_, let picture) = action { album.pictures.append(picture) }
            }
        }
        replay.dispatch(action)
        #expect(replay.state.pictures == store.state.pictures)
        #expect(try await uploads.take(file).bytes() == Array("blue".utf8))
    }

    @Test func `a field may have none, one or many files`() async throws {
        try await test { client in
            for parts: [(String, String?, String)] in [
                [], [("papers", "", ""), ("cover", "", "")], [("papers", "a", "1")],
                [("cover", "b", "2")],
                [("papers", "c", "3"), ("papers", "d", "4"), ("cover", "e", "")],
            ] {
                let answer = try await client.post(form("AlbumAction/attach", parts))
                #expect(answer.status == .seeOther)
            }
        }
        #expect(store.state.pictures.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect(store.state.pictures.map(\.size) == [1, 1, 1, 1, 0])
        #expect(uploads.amount == (5, 4))
    }

    @Test func `a field that isn't declared as a file is ignored, and its bytes are forgotten`()
        async throws
    {
        try await test { client in
            let answer = try await client.post(
                form("AlbumAction/rename", ("title", nil, "Sea"), ("secret", "a.exe", "evil")))
            #expect(answer.status == .seeOther)
        }
        #expect(store.state.titles == ["Sea"])
        await isEmpty()
    }

    @Test(arguments: [
        #""picture":{"upload":0}"#, #""picture":{"id":"ID","name":"a","size":1,"sha256":""}"#,
        #""picture":"ID""#, #""picture":["ID"]"#, #""picture":null"#, #""picture":"""#,
        #""picture":{"upload":0,"x":1}"#, #""title":"only""#,
    ])
    func `a file that the server didn't receive in the post is refused at decoding`(
        field: String
    ) async throws {
        let other = try await uploads.add([1], named: "a")
        try await test { client in
            for name in ["add", "wrap"] {
                let field = field.replacing("ID", with: other.id)
                    .replacing("picture", with: name == "wrap" ? "value" : "picture")
                let answer = try await client.post(
                    json:
                        #"{"type":"AlbumAction/\#(name)","request":"request-\#(name)","title":"x",\#(field)}"#
                )
                #expect(answer.status == .badRequest)
            }
            let text = try await client.post(
                form(
                    "AlbumAction/add", ("title", nil, "x"), ("picture", nil, "{\"upload\":0}"),
                    ("other", "a", "1")))
            #expect(text.status == .badRequest)
        }
        #expect(store.log.version == 0)
        #expect(uploads.amount.files == 1)
    }

    @Test func `a type that decodes a file by itself gets only one that came`() async throws {
        try await test { client in
            let answer = try await client.post(form("AlbumAction/wrap", ("value", "a", "1")))
            #expect(answer.status == .seeOther)
        }
        #expect(store.state.pictures.map(\.name) == ["a"])
    }

    @Test func `what is beyond a limit is refused beside the field, and nothing of it stays`()
        async throws
    {
        var test = self
        test.options.limits.uploads.bytesPerFile = 2_048
        test.options.limits.uploads.filesPerPost = 2
        test.options.limits.uploads.bytesPerVisitor = 4_000
        let large = String(repeating: "x", count: 2_049), fair = String(large.dropLast())
        let uploads = uploads
        try await test.test { client in
            for (parts, hint): ([(String, String?, String)], String) in [
                ([("papers", "a", large)], "Please choose a file of at most 2 KB."),
                ([("papers", "a", "1"), ("papers", "b", large)], "at most 2 KB."),
                (Array(repeating: ("papers", "a", "1"), count: 3), "Please choose at most 2 files"),
                ([("papers", "a", fair), ("papers", "b", fair)], "can't be accepted now"),
            ] {
                let answer = try await client.post(
                    form("AlbumAction/attach", parts), headers: Self.script)
                #expect(answer.text.contains(#""field":"papers""#) && answer.text.contains(hint))
                #expect(uploads.amount == (0, 0))
            }
            let page = try await client.post(
                form("AlbumAction/attach", ("papers", "a", large)))
            #expect(page.status == .contentTooLarge)
            #expect(page.text.contains("Papers: Please choose a file of at most 2 KB."))
            // A script says what it doesn't send.
            let file = #"{"name":"a","size":2049}"#
            for (papers, hint) in [
                (file, "at most 2 KB."),
                (#"{"name":"a","size":1,"of":3}"#, "at most 2 files"), ("[\(file)]", "2 KB."),
            ] {
                let answer = try await client.post(
                    json:
                        #"{"type":"AlbumAction/attach","request":"request-9","papers":\#(papers)}"#)
                #expect(answer.text.contains(#""field":"papers""#) && answer.text.contains(hint))
            }
        }
        #expect(store.log.version == 0)
        await isEmpty()
    }

    @Test func `an app words what is wrong with a file`() async throws {
        var test = self
        test.options.limits.uploads.bytesPerFile = 10
        try await test.test(word: { mistake in
            #expect(mistake.action == "AlbumAction/add" && mistake.field == "picture")
            switch mistake.kind {
            case .fileTooLarge(let bytes): return "Höchstens \(bytes) Bytes."
            case .noFile: return "Bitte ein Bild wählen."
            default: return nil
            }
        }) { client in
            let large = try await client.post(
                form("AlbumAction/add", ("title", nil, "a"), ("picture", "a", "12345678901")))
            #expect(large.text.contains("Höchstens 10 Bytes."))
            let none = try await client.post(
                form("AlbumAction/add", ("title", nil, "a"), ("picture", "", "")))
            #expect(none.text.contains("Bitte ein Bild wählen."))
        }
    }

    @Test func `a post that comes again is dispatched once, and its files are kept once`()
        async throws
    {
        try await test { client in
            for _ in 0..<3 {
                let answer = try await client.post(
                    form("AlbumAction/add", ("title", nil, "Sea"), ("picture", "sea.png", "blue")),
                    headers: [.accept: "application/json", .onwardOrder: "page-one/1"])
                #expect(answer.text == #"{"result":"dispatched"}"#)
            }
            // The same id for something else.
            let other = try await client.post(
                form("AlbumAction/add", ("title", nil, "Sea"), ("picture", "sea.png", "red")))
            #expect(other.status == .conflict)
        }
        #expect(store.log.version == 1)
        #expect(uploads.amount == (1, 4))
    }

    @Test func `a post is checked before its files are read`() async throws {
        try await test { client in
            let parts = form("AlbumAction/add", ("title", nil, "Sea"), ("picture", "a", "blue"))
            let later = try await client.post(
                json: #"{"type":"AlbumAction/rename","request":"request-2","title":"x"}"#,
                headers: [.onwardOrder: "page-one/2"])
            #expect(later.status == .ok)
            for (headers, status): (HTTPFields, HTTPResponse.Status) in [
                ([.onwardOrder: "page-one/1"], .conflict), ([.onwardOrder: "x"], .badRequest),
                ([.origin: "http://evil.example"], .forbidden),
                ([.secFetchSite: "cross-site"], .forbidden),
                ([.contentEncoding: "gzip"], .unsupportedMediaType),
            ] {
                let answer = try await client.post(
                    parts, headers: headers.merging(Self.script))
                #expect(answer.status == status)
            }
            for type in [
                "multipart/form-data", "multipart/form-data; boundary=",
                "multipart/mixed; boundary=b",
                "multipart/form-data; boundary=\(String(repeating: "b", count: 71))",
            ] {
                let answer = try await client.post(
                    body: parts.body, type: type, headers: Self.script)
                #expect(answer.status == .unsupportedMediaType)
            }
        }
        #expect(store.log.version == 1)
        await isEmpty()
    }

    @Test func `only a visitor with a visit may send files`() async throws {
        let parts = form("AlbumAction/add", ("title", nil, "Sea"), ("picture", "a", "blue"))
        let hosting = Hosting<Album>.perVisitor(limit: 4, idle: .seconds(60)) {
            Store(Album()) { Reduce { (_: inout Album, _: AlbumAction) in } }
        }
        let uploads = uploads
        try await test(hosting: hosting) { client in
            #expect(try await client.post(parts, headers: Self.script).status == .conflict)
            #expect(uploads.amount.files == 0)
            let cookie = try await client.enter()
            #expect(
                try await client.post(parts, headers: cookie.merging(Self.script)).status == .ok)
            #expect(uploads.amount.files == 1)
        }
    }

    @Test func `the files of a post that is refused are removed`() async throws {
        try await test { client in
            for (name, title) in [("add", "bad"), ("nothing", "x"), ("add/x", "x")] {
                let answer = try await client.post(
                    form("AlbumAction/\(name)", ("title", nil, title), ("picture", "a", "blue")),
                    headers: Self.script)
                #expect(answer.status.code >= 400)
            }
        }
        #expect(store.log.version == 0)
        await isEmpty()
    }

    @Test func `a server without uploads takes no files`() async throws {
        var test = self
        test.options.uploads = nil
        try await test.test { client in
            let answer = try await client.post(
                form("AlbumAction/rename", ("title", nil, "x")), headers: Self.script)
            #expect(answer.status == .unsupportedMediaType)
        }
        #expect(lines.all.contains { $0.contains("set ServerOptions.uploads") })
    }

    @Test(arguments: [
        (200, "Please check what you entered here."), (257, "The form has more than 256 fields."),
        (5, "larger than 64 KiB"),
    ])
    func `the fields of such a form are bounded like those of any other`(
        count: Int, reason: String
    ) async throws {
        let size = count < 10 ? 20_000 : 1
        let parts = Array(
            repeating: ("title", String?.none, String(repeating: "x", count: size)), count: count)
        try await test { client in
            let answer = try await client.post(
                form("AlbumAction/rename", parts), headers: Self.script)
            #expect(answer.text.contains(reason))
        }
    }

    @Test func `line breaks of a text are those that the script's own posts have`() async throws {
        try await test { client in
            for headers in [Self.script, [:]] {
                _ = try await client.post(
                    form(
                        "AlbumAction/rename", [("title", nil, "a\r\nb")],
                        request: "request-\(headers.count)"),
                    headers: headers)
            }
        }
        #expect(store.state.titles == ["a\nb", "a\r\nb"])
    }

    @Test(arguments: [0, 40, 150, 330, 360])
    func `a connection that is lost midway dispatches nothing, and leaves nothing`(
        end: Int
    ) async throws {
        let parts = form(
            "AlbumAction/add", ("title", nil, "Sea"),
            ("picture", "a", String(repeating: "x", count: 60)))
        let body = String(buffer: parts.body)
        try await test(.live) { client in
            let request = """
                POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(parts.type)\r\n\
                Content-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(end))
                """
            try await RawConnection.with(port: #require(client.port), send: request) { _ in }
        }
        #expect(store.log.version == 0)
        await isEmpty()
    }

    @Test func `of pages that send at once each has its own files`() async throws {
        try await test { client in
            await withTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        let text = String(repeating: "\(number)", count: 20_000)
                        _ = try? await client.post(
                            form(
                                "AlbumAction/add",
                                [("title", nil, "a"), ("picture", "\(number)", text)],
                                request: "request-\(number)"))
                    }
                }
            }
        }
        #expect(store.state.pictures.count == 8)
        for file in store.state.pictures {
            let bytes = try await uploads.take(file).bytes()
            #expect(bytes == Array(repeating: Array(file.name.utf8)[0], count: 20_000))
        }
        await isEmpty()
    }
}

/// A form as a browser posts it.
private struct FormParts: Sendable {
    let body: ByteBuffer
    let type: String
}

private func form(_ type: String, _ parts: (String, String?, String)...) -> FormParts {
    form(type, parts)
}

private func form(
    _ type: String, _ parts: [(String, String?, String)], request: String? = nil
) -> FormParts {
    let names = parts.prefix(3).map(\.0).joined(separator: "-")
    let request = request ?? "request-\(parts.count)-\(names)"
    let all = [("type", nil, type), ("request", nil, request)] + parts
    let text = all.map { (part: (String, String?, String)) in
        let file = part.1.map { "; filename=\"\($0)\"\r\nContent-Type: image/png" } ?? ""
        return
            "--xXx\r\nContent-Disposition: form-data; name=\"\(part.0)\"\(file)\r\n\r\n\(part.2)\r\n"
    }
    return FormParts(
        body: ByteBuffer(string: text.joined() + "--xXx--\r\n"),
        type: "multipart/form-data; boundary=xXx")
}

extension TestClientProtocol {
    fileprivate func post(
        _ form: FormParts, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post(body: form.body, type: form.type, headers: headers)
    }
}

extension HTTPFields {
    fileprivate func merging(_ other: HTTPFields) -> HTTPFields {
        var all = self
        for field in other { all[field.name] = field.value }
        return all
    }
}
#endif
