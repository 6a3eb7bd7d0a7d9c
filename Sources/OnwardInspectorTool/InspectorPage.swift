// SPDX-License-Identifier: MIT
#if All

internal import ArgumentParser
internal import OnwardInspector
internal import OnwardLog
internal import OnwardServer

/// `onward inspector`.
struct InspectorPage: ToolCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "inspector",
            abstract: "Shows apps that connect, journals, reports and files of Redux DevTools.",
            discussion: """
                An app connects with an InspectorConnection of OnwardInspection, to the address in the environment \
                variable ONWARD_INSPECTOR. With --device it may be one on a phone: the page is then behind a code.
                """)
    }
    @Argument(help: "The files; apps may connect whether there are any or not.")
    var files: [String] = []
    @Option(help: "The port; 0 takes any free one.") var port = 8_081
    @Flag(help: "Lets in other devices of the local network, by a code.") var device = false
    @Option(help: "The address of this machine in that network; the first one unless given.")
    var host: String?
    @Option(help: "The code; a new one unless given, which holds until the command ends.")
    var code: String?

    func run(_ output: ToolOutput) async throws -> Int32 {
        let inspector = Inspector()
        for file in files {
            do {
                inspector.show(
                    FiledStore(try await FiledLog.read(file)), as: SourceAddress.name(of: file))
            } catch {
                throw SourceProblem(.unreachable, "\(error)")
            }
        }
        do {
            if device || host != nil {
                try await serveDevices(inspector, output)
            } else {
                try await inspector.run(at: port) { output.say($0) }
            }
        } catch let error as ServerError {
            throw SourceProblem(.unreachable, "\(error)")
        }
        return 0
    }

    private func serveDevices(_ inspector: Inspector, _ output: ToolOutput) async throws {
        guard let address = host ?? LocalNetwork.addresses.first else {
            throw SourceProblem(
                .unreachable,
                "This machine has no address in a local network. Connect it to one, or give its address with --host."
            )
        }
        let code = code ?? PairingCode.random(using: SystemRandomNumberGenerator())
        guard PairingCode.isSafe(code) else {
            throw InspectorQuery.Misfit(
                description: "The code needs at least 8 letters, digits or -._~.")
        }
        var options = Inspector.options(port: port)
        options.host = address
        options.hostNames.insert(address)
        options.accessToken = code
        options.onListening = { port in
            let url = "http://\(address):\(port)/?token=\(code)"
            output.say(url)
            output.say(
                "Code \(code). Open the address in a browser; an app is given it in ONWARD_INSPECTOR."
            )
            for line in CodePicture.lines(of: url) { output.say(line) }
        }
        try await inspector.server(options: options).run()
    }
}
#endif
