// SPDX-License-Identifier: MIT
#if CommandLineTool

internal import Foundation
internal import OnwardInspectorTool
internal import OnwardLog

/// `onward log FILE …`: what is in a journal, or in a report; `onward inspect`, `onward inspector` and `onward mcp`: what
/// an inspector says.
@main
struct OnwardCommand {
    private static let usage = """
        usage: onward log FILE VERB …
               onward inspect URL|FILE VERB …
               onward inspector FILE…
               onward mcp URL|FILE
        Each has --help.

        """

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "log":
            arguments.removeFirst()
            exit(await LogTool(name: "onward log").run(arguments))
        case "inspect", "inspector", "mcp": exit(await inspect(arguments))
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

    private static func inspect(_ arguments: [String]) async -> Int32 {
        #if Inspector
        return await InspectorTool().run(arguments)
        #else
        say(
            """
            onward \(arguments[0]) is not in this build. Switch the trait Inspector on beside CommandLineTool: \
            swift run --traits CommandLineTool,Inspector onward …

            """, isError: true)
        return 64
        #endif
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
