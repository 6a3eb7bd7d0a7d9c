// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A process that plays one history, so that it may crash or hang, and begins like every other one.
struct Child {
    let history: History
    private let process: pid_t
    private let output: Int32
    private let deadline: ContinuousClock.Instant
    private var text: [UInt8] = []

    /// Starts it.
    init(_ history: History, _ mode: Trial.Mode, timeout: Duration) {
        self.history = history
        deadline = .now + timeout
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { fatalError("No pipe: error \(errno).") }
        output = ends[0]
        fflush(nil)
        process = forkProcess()
        guard process == 0 else {
            close(ends[1])
            return
        }
        close(ends[0])
        dup2(ends[1], 2)
        let record = Trial(history: history, mode: mode).play()
        let faults = Checker.faults(of: record)
        let text =
            (["points \(record.points)"] + faults.map(\.description)).joined(separator: "\n") + "\n"
        _ = text.withCString { write(ends[1], $0, strlen($0)) }
        _exit(faults.isEmpty ? 0 : 1)
    }

    /// Plays a history and waits for the judgement of it.
    static func judgement(
        of history: History, _ mode: Trial.Mode, timeout: Duration = .seconds(20)
    ) -> Judgement {
        var child = Child(history, mode, timeout: timeout)
        while true {
            if let judgement = child.poll() { return judgement }
            usleep(200)
        }
    }

    /// The judgement, once it is there.
    mutating func poll() -> Judgement? {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while Glibc.poll(&wanted, 1, 0) > 0 {
            let count = read(output, &buffer, buffer.count)
            if count <= 0 { break }
            text += buffer.prefix(count)
        }
        var status: Int32 = 0
        if waitpid(process, &status, WNOHANG) == process {
            while true {
                let count = read(output, &buffer, buffer.count)
                if count <= 0 { break }
                text += buffer.prefix(count)
            }
            close(output)
            return judgement(status)
        }
        guard ContinuousClock.now > deadline else { return nil }
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        close(output)
        return Judgement(faults: ["every wait ends: no end after a while of real time"], points: 0)
    }

    private func judgement(_ status: Int32) -> Judgement {
        var lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        var points = 0
        if let index = lines.firstIndex(where: { $0.hasPrefix("points ") }) {
            points = Int(lines[index].dropFirst(7)) ?? 0
            lines.remove(at: index)
        }
        let signal = status & 0x7F
        if signal != 0 {
            return Judgement(
                faults: ["crash (signal \(signal)): " + said(lines)] + lines.prefix(30),
                points: points)
        }
        let code = (status >> 8) & 0xFF
        if code > 1 {
            return Judgement(
                faults: ["sanitizer: " + said(lines)] + lines.prefix(80), points: points)
        }
        return Judgement(faults: code == 0 ? [] : lines, points: points)
    }

    /// The line that says why.
    private func said(_ lines: [String]) -> String {
        lines.first {
            $0.contains("Fatal") || $0.contains("ERROR:") || $0.contains("WARNING:")
                || $0.contains("error:")
        }
            ?? lines.first ?? "nothing was said"
    }
}

// The overlay hides `fork`, as a program with several threads must not go on in the child. This one
// has one thread when it forks.
@_silgen_name("fork")
func forkProcess() -> pid_t
