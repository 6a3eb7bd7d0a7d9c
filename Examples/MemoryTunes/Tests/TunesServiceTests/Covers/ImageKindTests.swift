// SPDX-License-Identifier: MIT

import Testing

@testable import TunesService

/// A number of bytes that begin as a picture does.
func picture(_ mark: UInt8 = 0, count: Int = 100) -> [UInt8] {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return head + Array(repeating: mark, count: count - head.count)
}

@Suite struct ImageKindTests {
    @Test func `pictures are known by their first bytes`() {
        #expect(ImageKind(picture()) == .png)
        #expect(ImageKind([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(ImageKind(Array("GIF89a".utf8)) == .gif)
        #expect(ImageKind(Array("GIF87a".utf8)) == .gif)
        #expect(ImageKind(Array("RIFF....WEBPVP8 ".utf8)) == .webp)
        #expect(ImageKind.allCases.map(\.contentType).allSatisfy { $0.hasPrefix("image/") })
    }

    @Test(arguments: [
        "", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>", "<html>", "GIF", "PNG",
        "RIFF....WAVE", "%PDF-1.4", "BM", "\u{FEFF}<svg/>", " \u{89}PNG",
    ])
    func `what can hold a script or is no picture is refused`(text: String) {
        #expect(ImageKind(Array(text.utf8)) == nil)
    }
}
