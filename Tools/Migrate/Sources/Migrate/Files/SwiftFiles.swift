// SPDX-License-Identifier: MIT

internal import Foundation

/// The Swift files below a folder, and what stands beside them about how they are built.
struct SwiftFiles {
    /// What could not be read, and why; a code base is checked as far as it can be.
    private(set) var problems: [Problem] = []
    private(set) var sources: [SourceFile] = []
    /// What Xcode, CocoaPods and Carthage are told.
    private(set) var buildFiles: [BuildFile] = []
    /// Names of modules that are made here: of projects, of their targets, of the folder itself.
    private(set) var modules: Set<String> = []

    /// Where headers in C stand, by the first folder of their paths: what these import, the Swift files
    /// of the target see, too.
    private(set) var headerFolders: Set<String> = []

    /// Larger files are made by programs, and would take long.
    static let sizeLimit = 2_000_000
    /// More files than this are not one app.
    static let countLimit = 50_000
    /// Folders of other people's code and of builds.
    static let foreign: Set = ["Pods", "Carthage", "DerivedData", "SourcePackages", "build"]

    /// Why nothing could be read at all.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the files below a folder; hidden folders, and those of dependencies, are left out, and
    /// links are not followed.
    init(below folder: String) throws(Failure) {
        let root = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw Failure(description: "\(folder) is not a folder.") }
        // A part of an app may be checked by itself.
        modules = Set(root.pathComponents)
        for path in try Self.paths(below: root) {
            if path.hasSuffix(".swift") {
                read(path, below: root)
            } else if path.hasSuffix(".h") {
                headerFolders.insert(path.firstFolder)
            } else {
                readBuildFile(path, below: root)
            }
        }
    }

    /// The same files, with some of them repaired.
    func repaired(by repairs: [Repair]) -> SwiftFiles {
        let texts = Dictionary(repairs.map { ($0.path, $0.new) }) { first, _ in first }
        var files = self
        files.sources = sources.map { file in
            texts[file.path].flatMap { SourceFile($0, path: file.path) } ?? file
        }
        return files
    }

    private static func paths(below root: URL) throws(Failure) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: root.path) else {
            throw Failure(description: "\(root.path) cannot be read.")
        }
        var paths: [String] = []
        while let path = names.nextObject() as? String {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if name.hasPrefix(".") || foreign.contains(name) {
                names.skipDescendants()
            } else if name.hasSuffix(".swift") || name.hasSuffix(".h") || BuildFile.isOne(name) {
                paths.append(path)
                guard paths.count <= countLimit else {
                    throw Failure(
                        description: "More than \(countLimit) Swift files; name a smaller folder.")
                }
            }
        }
        return paths.sorted()
    }

    private mutating func readBuildFile(_ path: String, below root: URL) {
        guard let text = text(of: path, below: root) else { return }
        let file = BuildFile(path: path, text: text)
        buildFiles.append(file)
        modules.formUnion(file.modules)
    }

    /// What stands in a file; nil for one that is none, or that is left out.
    private mutating func text(of path: String, below root: URL) -> String? {
        let file = root.appendingPathComponent(path)
        let values = try? file.resourceValues(forKeys: [
            .fileSizeKey, .isRegularFileKey, .isSymbolicLinkKey,
        ])
        guard values?.isRegularFile == true, values?.isSymbolicLink != true else { return nil }
        guard (values?.fileSize ?? 0) <= Self.sizeLimit else {
            leaveOut(path, "larger than \(Self.sizeLimit) bytes")
            return nil
        }
        guard let data = try? Data(contentsOf: file) else {
            leaveOut(path, "cannot be read")
            return nil
        }
        // With the mark at its beginning, if it has one.
        guard let text = String(validating: data, as: UTF8.self) else {
            leaveOut(path, "no UTF-8")
            return nil
        }
        return text
    }

    private mutating func read(_ path: String, below root: URL) {
        guard let text = text(of: path, below: root) else { return }
        guard let source = SourceFile(text, path: path) else {
            return leaveOut(path, "nested too deeply, or in too long lines, to be parsed")
        }
        if let complaint = source.complaint {
            problems.append(
                Problem(
                    path: path, line: complaint.line, column: complaint.column,
                    message: "syntax error, checked as far as it can be read: \(complaint.message)")
            )
        }
        sources.append(source)
    }

    private mutating func leaveOut(_ path: String, _ reason: String) {
        problems.append(Problem(path: path, message: "\(reason), left out"))
    }
}

extension String {
    /// The first folder of a path; empty for a file that stands in none.
    var firstFolder: String {
        let parts = split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : ""
    }
}
