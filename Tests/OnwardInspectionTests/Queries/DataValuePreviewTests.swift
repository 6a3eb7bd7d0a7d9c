// SPDX-License-Identifier: MIT

import OnwardJournal
import Testing

@testable import OnwardInspection

struct DataValuePreviewTests {
    @Test func `what turns the direction of writing is spelled out, in names as in values`() {
        let text = "user\u{202E}nimda\u{2066}\u{1B}[31m\u{85}"
        #expect(text.visible == #"user\u202enimda\u2066\u001b[31m\u0085"#)
        let value: DataValue = .object([text: .text(text)])
        let preview = value.preview(200)
        let indented = value.indented(200)
        for shown in [preview, indented] {
            #expect(
                !shown.unicodeScalars.contains { [0x202E, 0x2066, 0x1B, 0x85].contains($0.value) })
            #expect(shown.contains(#"\u202e"#))
        }
        #expect("Grüße 👩‍👩‍👧 שלום".visible == "Grüße 👩‍👩‍👧 שלום")
    }
}
