// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardBridge

@Suite("CallSites")
struct CallSitesTests {
    @Test func `The module is read from a mangled name`() {
        #expect(CallSites.moduleName(of: "$s4Bank7depositySiF") == "Bank")
        #expect(CallSites.moduleName(of: "$s12ReSwiftTests1aV") == "ReSwiftTests")
        for name in ["main", "$s", "$sS2i", "$s9Bank", "_ZN3foo"] {
            #expect(CallSites.moduleName(of: name) == nil)
        }
    }

    @Test func `Sources of the package and of the toolchain are not the app's`() {
        let own = "/work/onward/Sources/OnwardBridge/CallSites.swift"
        #expect(CallSites.isOfLibraries("/work/onward/Sources/ReSwift/Store.swift", own: own))
        #expect(CallSites.isOfLibraries("<compiler-generated>", own: own))
        #expect(CallSites.isOfLibraries("/b/swift/stdlib/public/core/Array.swift", own: own))
        #expect(!CallSites.isOfLibraries("/work/onward/Tests/ReSwiftTests/A.swift", own: own))
        #expect(!CallSites.isOfLibraries("/work/app/Sources/App/Reducer.swift", own: own))
    }

    #if os(Linux)
    @Test func `The line of the caller outside the package is found`() {
        let sites = CallSites()
        for _ in 0..<2 {
            let origin = sites.find()
            #expect(origin == ActionOrigin(line: #line - 1))
        }
    }
    #endif
}
