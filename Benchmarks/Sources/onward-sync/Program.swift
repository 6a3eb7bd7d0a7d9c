// SPDX-License-Identifier: MIT

// What a synced store costs:
//
//     swift run -c release --package-path Benchmarks onward-sync             all figures
//     swift run -c release --package-path Benchmarks onward-sync rebase      one of them: rebase, loop, broadcast
//     scripts/count-instructions --binary PATH/onward-sync own kept          instructions of an own action
//
// `own` and `kept` perform so many dispatches and nothing else; `serve` and `serve-bare` are the servers of `broadcast`.

import Dispatch

@main enum Program {
    /// Keeps the main thread, without which callgrind fails.
    static func main() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run() } catch { print(error) }
            done.signal()
        }
        done.wait()
    }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let count = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 0
        switch arguments.first {
        case nil:
            try await Rebase.measure()
            try await Loop.measure()
            try await Broadcast.measure(clients: 1_000)
        case "rebase": try await Rebase.measure()
        case "loop": try await Loop.measure()
        case "broadcast": try await Broadcast.measure(clients: count > 0 ? count : 1_000)
        case "own": try await OwnAction.dispatch(count, isSynced: true)
        case "kept": try await OwnAction.dispatch(count, isSynced: false)
        case "serve": try await SyncedServer.run(clients: count)
        case "serve-bare": try await BareServer.run()
        default:
            print(
                "usage: onward-sync [rebase | loop | broadcast [CLIENTS] | own COUNT | kept COUNT]")
        }
    }
}

/// The one in the middle; 0 of none.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

/// A number with two digits behind the point.
func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
