// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Migrate

@Suite("Repair")
struct RepairTests {
    private func mended(_ text: String, dependency: String = Manifest.dependency) throws -> String?
    {
        let file = try #require(SourceFile(text, path: "a.swift"))
        return Repair(of: file, in: CodeBase([file]), dependency: dependency)?.new
    }

    @Test func `A manifest depends on Onward afterwards, once, and names its products`() throws {
        let before = """
            // swift-tools-version:5.3
            import PackageDescription

            let package = Package(
                name: "Player",
                dependencies: [
                    .package(name: "ReSwift", url: "https://github.com/ReSwift/ReSwift.git", from: "6.0.0"),
                    .package(url: "https://github.com/ReSwift/ReSwift-Thunk.git", from: "2.0.0"),  // thunks
                    .package(url: "https://github.com/apple/swift-log.git", from: "1.0.0"),
                ],
                targets: [
                    .target(name: "Player", dependencies: [
                        "ReSwift",  // the store
                        .product(name: "ReSwiftThunk", package: "ReSwift-Thunk"),
                        .product(name: "Logging", package: "swift-log"),
                    ])
                ]
            )

            """
        let after = """
            // swift-tools-version:5.3
            import PackageDescription

            let package = Package(
                name: "Player",
                dependencies: [
                    .package(path: "../onward"),
                    .package(url: "https://github.com/apple/swift-log.git", from: "1.0.0"),
                ],
                targets: [
                    .target(name: "Player", dependencies: [
                        .product(name: "ReSwift", package: "onward"),  // the store
                        .product(name: "ReSwiftThunk", package: "onward"),
                        .product(name: "Logging", package: "swift-log"),
                    ])
                ]
            )

            """
        #expect(try mended(before) == after)
        #expect(try mended(after) == nil)
        let url = ".package(url: \"https://example.com/onward\", from: \"1.0.0\")"
        #expect(try mended(before, dependency: url)?.contains(url) == true)
    }

    @Test func `Products that are called otherwise than their modules get the names of Onward's`()
        throws
    {
        let before = """
            import PackageDescription
            let package = Package(
                name: "Radio",
                dependencies: [
                    .package(url: "git@github.com:ReSwift/ReSwift-Router.git", from: "0.7.0"),
                ],
                targets: [
                    .target(name: "Radio", dependencies: [
                        .product(name: "ReSwift-Router", package: "ReSwift-Router"),
                        "ReSwift-Thunk",
                    ])
                ]
            )

            """
        let after = before.replacing(
            ".package(url: \"git@github.com:ReSwift/ReSwift-Router.git\", from: \"0.7.0\")",
            with: ".package(path: \"../onward\")"
        ).replacing(
            ".product(name: \"ReSwift-Router\", package: \"ReSwift-Router\")",
            with: ".product(name: \"ReSwiftRouter\", package: \"onward\")"
        ).replacing(
            "\"ReSwift-Thunk\"", with: ".product(name: \"ReSwiftThunk\", package: \"onward\")")
        #expect(try mended(before) == after)
    }

    @Test
    func `A file that counts on the original to bring Foundation or UIKit imports it afterwards`()
        throws
    {
        #expect(
            try mended("// é\n\n@testable import ReSwift\nlet a: URL\n")
                == "// é\n\nimport Foundation\n@testable import ReSwift\nlet a: URL\n")
        #expect(
            try mended("import ReSwift\r\nlet a: URL, b: UIView\r\n")
                == "import UIKit\r\nimport ReSwift\r\nlet a: URL, b: UIView\r\n")
    }

    @Test func `Imports and names are mended, with everything else left byte for byte`() throws {
        let before =
            "// é\r\n@testable import ReSwift_Thunk\r\nimport ReSwift\r\nlet a = createThunksMiddleware()\t\r\n"
        let after =
            "// é\r\n@testable import ReSwiftThunk\r\nimport ReSwift\r\nlet a = createThunkMiddleware()\t\r\n"
        #expect(try mended(before) == after)
        #expect(
            try mended("import struct ReSwift_Thunk.Thunk\nlet a: ReSwift_Thunk.Thunk<Int>\n")
                == "import struct ReSwiftThunk.Thunk\nlet a: ReSwiftThunk.Thunk<Int>\n")
    }

    @Test func `A test that sees the internals of a library still does`() throws {
        #expect(
            try mended(
                "@testable import ReSwift\nfunc reset() { store.subscriptions.removeAll() }\n")
                == nil)
    }

    @Test func `Deployment targets are raised in the words that the manifest's version knows`()
        throws
    {
        func manifest(_ version: String, _ platforms: String) -> String {
            """
            // swift-tools-version:\(version)
            import PackageDescription
            let package = Package(name: "A", platforms: [\(platforms)],
                dependencies: [.package(path: "../onward")])

            """
        }
        #expect(
            try mended(manifest("5.5", ".iOS(.v13), .macOS(\"10.15\"), .tvOS(\"18.1\")"))
                == manifest("5.5", ".iOS(\"18.0\"), .macOS(\"15.0\"), .tvOS(\"18.1\")"))
        #expect(
            try mended(manifest("6.0", ".iOS(.v17), .macOS(.v15)"))
                == manifest("6.0", ".iOS(.v18), .macOS(.v15)"))
    }

    @Test func `A file with a syntax error is left alone, and so is one that would get one`() throws
    {
        #expect(try mended("import ReSwift_Thunk\nlet = {\n") == nil)
        let manifest = """
            import PackageDescription
            let a: [Package.Dependency] = [.package(url: "https://github.com/ReSwift/ReSwift", from: "6.0.0")]
            """
        #expect(try mended(manifest, dependency: ".package(path: \"../onward\"") == nil)
    }

    @Test func `A file is written whole, keeps its permissions, and not over changes of others`()
        throws
    {
        let folder = try Folder(["A/a.swift": Data("import ReSwift_Thunk\n".utf8)])
        let file = folder.url.appendingPathComponent("A/a.swift")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let files = try SwiftFiles(below: folder.url.path)
        let source = try #require(files.sources.first)
        let repair = try #require(
            Repair(of: source, in: CodeBase(files.sources), dependency: Manifest.dependency))
        try repair.write(below: folder.url)
        #expect(try String(contentsOf: file, encoding: .utf8) == "import ReSwiftThunk\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: file.deletingLastPathComponent().path) == ["a.swift"])
        #expect {
            try repair.write(below: folder.url)
        } throws: { "\($0)" == "A/a.swift: changed since it was read, left as it is" }
        #expect(try String(contentsOf: file, encoding: .utf8) == "import ReSwiftThunk\n")
    }

    @Test func `A file that begins with a byte order mark is mended, and keeps it`() throws {
        let folder = try Folder(["a.swift": Data("\u{FEFF}import ReSwift_Thunk\n".utf8)])
        let files = try SwiftFiles(below: folder.url.path)
        let source = try #require(files.sources.first)
        let repair = try #require(
            Repair(of: source, in: CodeBase(files.sources), dependency: Manifest.dependency))
        try repair.write(below: folder.url)
        let data = try Data(contentsOf: folder.url.appendingPathComponent("a.swift"))
        #expect(data == Data("\u{FEFF}import ReSwiftThunk\n".utf8))
    }

    @Test func `The dry run is a patch, with lines around what changes`() throws {
        let lines = (1...12).map { "line \($0)" }
        var changed = lines
        changed[5] = "other"
        changed.insert("more", at: 6)
        let text = Difference(
            from: lines.joined(separator: "\n"), to: changed.joined(separator: "\n"),
            path: "a.swift"
        ).text
        #expect(
            text == """
                --- a/a.swift
                +++ b/a.swift
                @@ -3,7 +3,8 @@
                 line 3
                 line 4
                 line 5
                -line 6
                +other
                +more
                 line 7
                 line 8
                 line 9

                """)
        #expect(Difference(from: "a\nb", to: "a\nb", path: "a").text == "")
        #expect(
            Difference(from: "a", to: "b", path: "a").text.hasSuffix(
                "-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"))
    }
}
