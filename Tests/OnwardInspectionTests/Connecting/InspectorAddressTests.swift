// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardInspection

struct InspectorAddressTests {
    @Test func `an address is what people paste, with the code in it`() {
        let address = InspectorAddress(" http://192.168.1.20:8081/?token=K7Q2-9XMD\n")
        #expect(address?.base == "http://192.168.1.20:8081")
        #expect(address?.token == "K7Q2-9XMD")
        #expect(InspectorAddress("HTTP://a/b/")?.base == "http://a/b")
        #expect(InspectorAddress("http://a", token: "x")?.token == "x")
        #expect(InspectorAddress("http://a?token=", token: nil)?.token == nil)
    }

    @Test(arguments: ["", "8081", "ftp://a", "http://", "file:///etc/passwd", "http:// a"])
    func `what is no address is none`(text: String) {
        #expect(InspectorAddress(text) == nil)
    }

    @Test func `the environment says where it is`() {
        #expect(InspectorAddress(environment: [:]) == nil)
        let environment = ["ONWARD_INSPECTOR": "http://a:1", "ONWARD_INSPECTOR_TOKEN": "x"]
        let address = InspectorAddress(environment: environment)
        #expect(address?.base == "http://a:1" && address?.token == "x")
    }
}
