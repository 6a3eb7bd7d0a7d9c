// SPDX-License-Identifier: MIT
#if CommandLineTool

internal import Foundation
internal import OnwardLog

/// `onward log FILE …`: what is in a journal.
@main
struct OnwardCommand {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.first == "log" else {
            let wantsHelp = ["--help", "-h", "help"].contains(arguments.first)
            let text = Array("usage: onward log FILE VERB …, see onward log --help\n".utf8)
            try? (wantsHelp ? FileHandle.standardOutput : .standardError).write(contentsOf: text)
            exit(wantsHelp ? 0 : 64)
        }
        arguments.removeFirst()
        exit(await LogTool(name: "onward log").run(arguments))
    }
}
#else
@main
struct OnwardCommand {
    static func main() {}
}
#endif
