// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// What rules follow calls to.
enum Goal: Hashable {
    /// A dispatch.
    case dispatch
    /// A dispatch, without what hops to the main actor on the way, or is looked at for itself.
    case dispatchOffMain
    /// Something that gives another answer each time, or changes what is not the state.
    case impurity
    /// Work that goes on after the function has returned.
    case work
}

/// Where a piece of code comes to a goal.
struct Arrival {
    let place: Syntax
    /// The function by which it does; nil where it does so itself.
    let through: String?
}
