// SPDX-License-Identifier: MIT

#if CommandLineTool
internal import ArgumentParser

/// The command `onward`.
@main
struct OnwardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onward", abstract: "Tools for apps that are built on Onward.",
        subcommands: [MigrateCommand.self])
}
#else
/// The command without its argument parser, which is downloaded only for clients that switch the trait on.
@main
struct OnwardCommand {
    static func main() {
        print("Build this command with its trait: swift run --traits CommandLineTool onward")
    }
}
#endif
