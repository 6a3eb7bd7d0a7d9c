// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// Something that is different with the compatible modules, and how to find where.
///
/// Each rule is a value in a file of its own in `Rules`.
struct Rule: Sendable {
    /// The name, which findings end with and the guide explains.
    let name: String
    let certainty: Finding.Certainty
    /// What stands there, in a few words.
    let what: String
    /// Why it matters.
    let why: String
    /// What to do.
    let write: String
    /// What to write, as code: a snippet of the guide, which is compiled there.
    let example: String
    /// The places in a file, about which the whole code base may tell more.
    let places: @Sendable (SourceFile, CodeBase) -> [Place]
}

/// Where a rule finds something.
struct Place {
    let node: Syntax
    /// What is particular about this place; nil when the rule says it all.
    var detail: String?
    /// What fixes it, where that is mechanical.
    var edits: [Edit] = []

    init(_ node: some SyntaxProtocol, _ detail: String? = nil, edits: [Edit] = []) {
        self.node = Syntax(node)
        self.detail = detail
        self.edits = edits
    }

    /// A place that leads to something by way of a function.
    init(_ arrival: Arrival) {
        self.init(arrival.place, arrival.through.map { "by \($0)" })
    }
}
