// SPDX-License-Identifier: MIT

/// A small concurrent program over the public surface of a store.
struct History: Sendable {
    struct Thread: Sendable {
        enum Kind: Sendable { case thread, task, mainTask }

        var kind: Kind
        var steps: [Step]
    }

    var seed: UInt64
    /// Whether a commit observer records every state.
    ///
    /// Without one, commits take the plain way.
    var isObserved: Bool
    /// Whether actions go through middlewares, and what these do.
    var middleware: Meddler.Mode?
    var threads: [Thread]

    var stepCount: Int { threads.reduce(0) { $0 + $1.steps.count } }

    /// The program, for a reader who looks for the fault.
    var text: String {
        var lines = [
            "store of a World, \(isObserved ? "with" : "without") an observer, "
                + (middleware.map { "with a middleware that \($0)" } ?? "without middleware")
        ]
        for (index, thread) in threads.enumerated() {
            lines.append("\(thread.kind) \(index):")
            lines += thread.steps.map {
                "    \($0)".replacing("Soak.", with: "").replacing("Onward.", with: "")
            }
        }
        return lines.joined(separator: "\n")
    }
}
