// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import OnwardInspectorTool

/// `onward inspect`, `onward inspector` and `onward mcp`: what is in a log, of a running store or a file; `onward report`: what
/// an app's package makes of a report.
@main
struct OnwardCommand {
    static func main() async {
        exit(await InspectorTool().run(Array(CommandLine.arguments.dropFirst())))
    }
}
#else
@main
struct OnwardCommand {
    static func main() {}
}
#endif
