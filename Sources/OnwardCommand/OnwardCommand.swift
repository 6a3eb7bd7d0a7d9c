// SPDX-License-Identifier: MIT
#if CommandLineTool

internal import Foundation
internal import OnwardLog

/// `onward log FILE …`: what is in a journal, or in a report.
@main
struct OnwardCommand {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "reports" {
            let text = """
                onward reports needs the reducers of the app. Use the app's own command, which is three lines: see \
                ReportsTool in the documentation of OnwardReports.

                """
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
            exit(4)
        }
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
