// SPDX-License-Identifier: MIT

internal import Foundation

/// What `onward-migrate --fix` does to a file: only what is mechanical.
struct Repair {
    let path: String
    let old: String
    let new: String

    /// Nil where there is nothing to fix.
    ///
    /// A file with a syntax error is left alone, and so is one that would have one afterwards.
    init?(of file: SourceFile, in codeBase: CodeBase, dependency: String) {
        guard file.complaint == nil else { return nil }
        let edits = Rule.all.flatMap { rule in
            // The manifest's new dependency is the caller's choice.
            rule.name == Rule.dependency.name && file.isManifest
                ? Manifest(file, dependency: dependency).places : rule.places(file, codeBase)
        }.flatMap(\.edits)
        let text = file.text.applying(edits)
        guard text != file.text, let after = SourceFile(text, path: file.path),
            after.complaint == nil
        else { return nil }
        path = file.path
        old = file.text
        new = text
    }

    /// What would change, as a patch.
    var difference: String { Difference(from: old, to: new, path: path).text }

    /// Why a file was not written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Puts the new file in the place of the old one, atomically: half of it is never seen.
    func write(below folder: URL) throws {
        let file = folder.appendingPathComponent(path)
        guard let now = try? Data(contentsOf: file), now.elementsEqual(old.utf8) else {
            throw Failure(description: "\(path): changed since it was read, left as it is")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        try Data(new.utf8).write(to: file, options: .atomic)
        if let permissions = attributes?[.posixPermissions] {
            try? FileManager.default.setAttributes(
                [.posixPermissions: permissions], ofItemAtPath: file.path)
        }
    }
}
