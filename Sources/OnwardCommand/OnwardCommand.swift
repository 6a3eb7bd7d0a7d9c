// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import OnwardInspectorTool
internal import OnwardLog

/// `onward log FILE …`: what is in a journal, or in a report; `onward inspect`, `onward inspector` and `onward mcp`: what
/// an inspector says; `onward report`: what an app's package makes of a report.
@main
struct OnwardCommand {
    private static let usage = """
        usage: onward log FILE VERB …
               onward inspect URL|FILE VERB …
               onward inspector FILE…
               onward mcp URL|FILE
               onward report make-test REPORT… --package DIR
        Each has --help.

        """

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "log":
            arguments.removeFirst()
            exit(await LogTool(name: "onward log").run(arguments))
        case "inspect", "inspector", "mcp": exit(await InspectorTool().run(arguments))
        case "report":
            arguments.removeFirst()
            exit(ReportTool().run(arguments))
        case "reports":
            say(
                """
                onward reports needs the reducers of the app. Use the app's own command, which is three lines: see \
                ReportsTool in the documentation of OnwardReports.

                """, isError: true)
            exit(4)
        case "--help", "-h", "help":
            say(usage, isError: false)
            exit(0)
        default:
            say(usage, isError: true)
            exit(64)
        }
    }

    private static func say(_ text: String, isError: Bool) {
        let handle = isError ? FileHandle.standardError : FileHandle.standardOutput
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
#else
@main
struct OnwardCommand {
    static func main() {}
}
#endif
