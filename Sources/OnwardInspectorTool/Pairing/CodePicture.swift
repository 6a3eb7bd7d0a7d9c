// SPDX-License-Identifier: MIT
#if CommandLineTool && Inspector

internal import Foundation

/// An address as a picture for a device's camera, by the program `qrencode` where that is found.
enum CodePicture {
    /// The picture in lines of text; none where the program isn't there, or fails.
    ///
    /// - Parameters:
    ///   - text: What the picture says.
    ///   - path: Folders with programs, as the environment has them.
    /// - Returns: The lines.
    static func lines(
        of text: String, path: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) -> [String] {
        let folders = path.split(separator: ":").map { URL(filePath: String($0)) }
        let programs = folders.map { $0.appending(path: "qrencode") }
        guard
            let program = programs.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
            })
        else { return [] }
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["-t", "UTF8", "-m", "2", text]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil,
            let data = try? output.fileHandleForReading.readToEnd()
        else { return [] }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
#endif
