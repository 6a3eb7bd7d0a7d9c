// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import TunesService

@Suite struct CoverFolderTests {
    private let temporary = TemporaryFolder()
    private let address = "https://a.example/1.png"

    private func folder(limit: Int = 100_000) throws -> CoverFolder {
        try CoverFolder(temporary.url, limit: limit)
    }

    private func image(_ mark: UInt8 = 0, count: Int = 100) throws -> CoverImage {
        try #require(CoverImage(picture(mark, count: count)))
    }

    private func file(of address: String) -> URL {
        temporary.url.appendingPathComponent("\(CoverName(address: address)).cover")
    }

    @Test func `a picture is found again, also by the next launch`() throws {
        var folder = try folder()
        try folder.keep(image(7), at: address)
        #expect(try folder.image(at: address) == image(7))
        var next = try self.folder()
        #expect(try next.image(at: address) == image(7))
        #expect(next.image(at: "https://a.example/2.png") == nil)
    }

    @Test(arguments: ["cut", "flipped", "empty", "other", "text"])
    func `a file that isn't what it says is absent, and goes`(damage: String) throws {
        try folder().keepForTest(image(7), at: address)
        var bytes = try Data(contentsOf: file(of: address))
        switch damage {
        case "cut": bytes = bytes.dropLast(1)
        case "flipped": bytes[bytes.endIndex - 5] ^= 1
        case "empty": bytes = Data()
        case "other":
            try folder().keepForTest(image(8), at: "https://a.example/2.png")
            bytes = try Data(contentsOf: file(of: "https://a.example/2.png"))
        default: bytes = Data("cover 1 hello".utf8)
        }
        try bytes.write(to: file(of: address))
        var next = try folder()
        #expect(next.image(at: address) == nil)
        #expect(!FileManager.default.fileExists(atPath: file(of: address).path))
    }

    @Test func `the files never take more than the limit, and the oldest go first`() throws {
        var folder = try folder(limit: 2_000)
        for number in 0..<9 { try folder.keep(image(count: 400), at: "\(number)") }
        #expect(folder.size <= 2_000)
        #expect(temporary.files.count == 4)
        #expect(folder.image(at: "4") == nil)
        #expect(folder.image(at: "8") != nil)
    }

    @Test func `a smaller limit holds from the next launch on`() throws {
        var large = try folder()
        for number in 0..<9 {
            try large.keep(image(count: 400), at: "\(number)")
            let date = Date(timeIntervalSince1970: 1_000_000 + Double(number))
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: file(of: "\(number)").path)
        }
        var small = try folder(limit: 1_000)
        #expect(small.size <= 1_000)
        #expect(small.image(at: "8") != nil)
        #expect(small.image(at: "0") == nil)
    }

    @Test func `other files in the folder stay untouched`() throws {
        _ = try folder()
        let other = temporary.url.appendingPathComponent("letter.txt")
        try Data(repeating: 1, count: 5_000).write(to: other)
        var folder = try folder(limit: 600)
        try folder.keep(image(count: 400), at: address)
        try folder.keep(image(count: 400), at: "2")
        #expect(FileManager.default.fileExists(atPath: other.path))
    }

    @Test func `no half-written files are left behind`() throws {
        var folder = try folder()
        try folder.keep(image(), at: address)
        #expect(temporary.files == [file(of: address).lastPathComponent])
    }

    @Test func `a folder that can't be made is reported`() throws {
        try Data().write(to: temporary.url)
        #expect(throws: (any Error).self) { try folder() }
    }
}

extension CoverFolder {
    fileprivate func keepForTest(_ image: CoverImage, at address: String) throws {
        var folder = self
        try folder.keep(image, at: address)
    }
}
