// SPDX-License-Identifier: MIT
#if All

internal import Foundation

/// An address as a picture for a device's camera, drawn by the program `qrencode` if it is found.
enum CodePicture {
    /// The picture as lines of text; none if the program is missing or fails.
    ///
    /// - Parameters:
    ///   - text: The content of the picture.
    ///   - path: The folders with programs, as in the environment.
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
