// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Testing

@testable import OnwardServer

/// A folder for one test.
final class TestFolder {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-test-\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The files of all runs in it, and none of their locks.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("/") }
    }

    /// The folders of runs.
    var runs: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.filter { !$0.hasSuffix(".lock") }
    }
}

@Suite(.timeLimit(.minutes(2))) struct `Files until somebody takes them` {
    private let folder = TestFolder()
    private let hello = Array("hello".utf8)

    private func code(_ body: () async throws -> Void) async -> UploadError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? UploadError)?.code
        }
    }

    @Test func `a file can be taken once, with its bytes, name, size and hash`() async throws {
        let uploads = Uploads(in: folder.path)
        let file = try await uploads.add(hello, named: "../a.txt")
        #expect(file.name == "a.txt" && file.size == 5)
        #expect(
            file.sha256 == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        let taken = try await uploads.take(file)
        #expect(try await taken.bytes() == hello)
        #expect(FileManager.default.contents(atPath: taken.path) == Data(hello))
        #expect(await code { _ = try await uploads.take(file) } == .taken)
    }

    @Test func `a file that was taken is removed when nobody holds it`() async throws {
        let uploads = Uploads(in: folder.path)
        var taken: TakenFile? = try await uploads.take(try await uploads.add(hello, named: "a"))
        #expect(folder.files.count == 1)
        withExtendedLifetime(taken) {}
        taken = nil
        while !folder.files.isEmpty { await Task.yield() }
    }

    @Test func `a file stays where it is moved`() async throws {
        let uploads = Uploads(in: folder.path)
        var taken: TakenFile? = try await uploads.take(try await uploads.add(hello, named: "a"))
        let place = "\(folder.path)/kept"
        try await taken?.move(to: place)
        #expect(await code { _ = try await taken?.bytes() } == .unusable)
        taken = nil
        _ = try await uploads.add(hello, named: "b")  // Behind everything that was to be removed.
        #expect(FileManager.default.contents(atPath: place) == Data(hello))
        let other = try await uploads.take(try await uploads.add(hello, named: "c"))
        #expect(await code { try await other.move(to: place) } == .unusable)
        #expect(try await other.bytes() == hello)
    }

    @Test func `after an hour a file has expired, and is removed`() async throws {
        let clock = StepClock()
        let uploads = Uploads(in: folder.path, clock: clock)
        let file = try await uploads.add(hello, named: "a")
        clock.move(by: .seconds(3_599))
        uploads.removeExpired()
        #expect(folder.files.count == 1)
        clock.move(by: .seconds(1))
        #expect(await code { _ = try await uploads.take(file) } == .expired)
        uploads.removeExpired()
        while !folder.files.isEmpty { await Task.yield() }
        #expect(await code { _ = try await uploads.take(file) } == .expired)
    }

    @Test func `the file of another node, and a value that was made up, have errors of their own`()
        async throws
    {
        let (here, there) = (Uploads(in: folder.path), Uploads(in: folder.path))
        let file = try await there.add(hello, named: "a")
        #expect(await code { _ = try await here.take(file) } == .elsewhere)
        let own = try await here.add(hello, named: "b")
        let other = UploadedFile(
            id: String(own.id.dropLast()) + "x", name: "b", size: 5, sha256: own.sha256)
        #expect(await code { _ = try await here.take(other) } == .unknown)
        for id in ["", "..", "../a", "\(own.id)/../\(own.id)"] {
            let forged = UploadedFile(id: id, name: "b", size: 5, sha256: own.sha256)
            #expect(await code { _ = try await here.take(forged) } != nil)
        }
        #expect(try await there.take(file).bytes() == hello)
    }

    @Test func `what a run has left that was killed is removed, and what a living one has isn't`()
        async throws
    {
        let living = Uploads(in: folder.path)
        let file = try await living.add(hello, named: "a")
        let dead = "\(folder.path)/0123456789abcdef0123456789abcdef"
        try FileManager.default.createDirectory(
            atPath: dead, withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: "\(dead).lock"))
        try Data(hello).write(to: URL(fileURLWithPath: "\(dead)/half"))
        try await Uploads(in: folder.path).open()
        #expect(!FileManager.default.fileExists(atPath: dead))
        #expect(!FileManager.default.fileExists(atPath: "\(dead).lock"))
        #expect(try await living.take(file).bytes() == hello)
    }

    @Test func `nothing stays behind when nobody holds the uploads any more`() async throws {
        var uploads: Uploads? = Uploads(in: folder.path)
        _ = try await uploads?.add(hello, named: "a")
        #expect(folder.runs.count == 1)
        uploads = nil
        while !folder.runs.isEmpty { await Task.yield() }
    }

    @Test func `a folder that others may write to isn't used`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o777])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let uploads = Uploads(in: folder.path)
        #expect(await code { try await uploads.open() } == .unusable)
        #expect(await code { _ = try await uploads.add(hello, named: "a") } == .unusable)
        #expect(uploads.amount == (0, 0))
        let link = TestFolder()
        let real = TestFolder()
        try FileManager.default.createDirectory(
            atPath: real.path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: real.path)
        #expect(await code { try await Uploads(in: link.path).open() } == .unusable)
    }

    @Test func `each obstacle is a sentence with the name of the file`() {
        for code in [UploadError.Code.unknown, .taken, .expired, .elsewhere, .unusable] {
            let text = UploadError(code: code, name: "a\u{202E}b").description
            #expect(text.contains("\"ab\"") && text.hasSuffix("."))
        }
        #expect(
            UploadError(code: .elsewhere, name: "a").description.contains("isn't on this node"))
    }
}
#endif
