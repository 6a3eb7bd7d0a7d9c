// SPDX-License-Identifier: MIT
#if All

import Foundation
import Testing

@testable import OnwardInspectorTool

struct PairingTests {
    @Test func `codes are short, legible, and never the same`() {
        let codes = (0..<1_000).map { _ in PairingCode.random(using: SystemRandomNumberGenerator())
        }
        #expect(Set(codes).count == 1_000)
        for code in codes {
            #expect(code.count == 11 && code.dropFirst(5).first == "-")
            #expect(!code.contains { "ILOUilou".contains($0) })
            #expect(PairingCode.isSafe(code))
        }
    }

    @Test(arguments: ["", "short", "with space", "a&b=c&token", "ümlaut-umlaut", "line\nline-line"])
    func `a code that can't stand in an address, or could be guessed, is none`(code: String) {
        #expect(!PairingCode.isSafe(code))
    }

    @Test func `the address is drawn where qrencode is found, and not where it fails`() throws {
        let folder = try Folder()
        #expect(CodePicture.lines(of: "x", path: folder.path).isEmpty)
        let program = try folder.write(
            "#!/bin/sh\necho \"$@\"\necho '█▀█'\n".utf8, to: "qrencode")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let lines = CodePicture.lines(of: "http://a/?token=b", path: "/nowhere:" + folder.path)
        #expect(lines == ["-t UTF8 -m 2 http://a/?token=b", "█▀█"])
        _ = try folder.write("#!/bin/sh\necho no\nexit 1\n".utf8, to: "qrencode")
        #expect(CodePicture.lines(of: "x", path: folder.path).isEmpty)
    }
}
#endif
