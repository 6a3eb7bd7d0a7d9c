// SPDX-License-Identifier: MIT

import Onward
import OnwardBridge
import Testing

protocol OldAction {}

@Suite("BridgedAction")
struct BridgedActionTests {
    private enum Menu: OldAction { case open, choose(item: Int) }
    private struct Login: OldAction {
        let name: String
        @Redacted var password: String
    }
    private final class Load: OldAction { let page = 3 }

    private func bridged(_ action: any OldAction) -> BridgedAction<any OldAction> {
        BridgedAction(action)
    }

    @Test func `Goes by the name, the case, the fields and the description of what it wraps`() {
        #expect(bridged(Menu.open).wireName == "BridgedActionTests.Menu/open")
        #expect(bridged(Menu.choose(item: 2)).wireName == "BridgedActionTests.Menu/choose")
        #expect("\(bridged(Menu.choose(item: 2)))" == "choose(item: 2)")
        #expect(bridged(Load()).wireName == "BridgedActionTests.Load")
        let fields = Mirror(reflecting: bridged(Load())).children.map {
            "\($0.label ?? "") \($0.value)"
        }
        #expect(fields == ["page 3"])
    }

    @Test func `Keeps secrets`() {
        let login = bridged(Login(name: "Ada", password: "1815"))
        #expect(!"\(login)".contains("1815"))
        let shown = Mirror(reflecting: login).children.map { "\($0.value)" }
        #expect(shown == ["Ada", redactedPlaceholder])
    }
}
