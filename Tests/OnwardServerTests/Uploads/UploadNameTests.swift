// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `Names of files that visitors send` {
    @Test(arguments: [
        ("photo.jpg", "photo.jpg"), ("Brücke bei Nacht.png", "Brücke bei Nacht.png"),
        ("../../etc/passwd", "passwd"), (#"C:\Users\me\photo.jpg"#, "photo.jpg"),
        ("/", "file"), ("..", "file"), ("", "file"), (" . ", "file"), ("a/..", "file"),
        (".bashrc", "bashrc"), ("photo.jpg. .", "photo.jpg"),
        ("a\r\nb\u{0}\u{7F}\u{85}c.png", "abc.png"),
        ("invoice\u{202E}gpj.exe", "invoicegpj.exe"), ("\u{2066}a\u{2069}\u{200F}.png", "a.png"),
        ("a\u{2028}b\u{FEFF}.png", "ab.png"), ("می\u{200C}خواهم.txt", "می\u{200C}خواهم.txt"),
        ("\u{E000}\u{FFFF}a", "a"),
    ])
    func `a name has no folder and nothing invisible`(name: String, clean: String) {
        #expect(UploadName.clean(name).unicodeScalars.elementsEqual(clean.unicodeScalars))
    }

    @Test(arguments: [
        String(repeating: "a", count: 5_000) + ".jpeg",
        String(repeating: "é", count: 5_000) + ".jpeg",
        String(repeating: "👩‍👩‍👧‍👦", count: 100) + ".jpeg",
        "a" + String(repeating: "\u{301}", count: 5_000) + ".jpeg",
    ])
    func `a long name is shortened, and its extension stays`(name: String) {
        let clean = UploadName.clean(name)
        #expect(clean.utf8.count <= UploadName.limit && clean.hasSuffix("jpeg"))
        #expect(UploadName.clean("a." + String(repeating: "b", count: 999)).utf8.count <= 200)
    }
}
#endif
