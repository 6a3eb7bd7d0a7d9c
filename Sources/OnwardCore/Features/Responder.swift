// SPDX-License-Identifier: MIT

/// Responds to actions of one type when they have been committed, for the instances at one
/// place.
///
/// A part that responds to an action handles it, too. A participant in the commits calls it.
package final class Responder: Sendable {
    package let lens: SliceLens
    /// The type of the slice.
    let slice: any Any.Type
    /// The position among all parts of the store.
    package let order: Int
    /// The instance, where there is one that lives as long as its store.
    package let address: Address
    /// Whether it needs the state as the action left it, which its participant copies with the commit.
    package let takesState: Bool
    /// What the participant calls; its type is known to that one.
    package let target: any AnyObject & Sendable

    package init<Slice>(
        _ target: any AnyObject & Sendable, of slice: Slice.Type, at lens: SliceLens, order: Int,
        takesState: Bool = false
    ) {
        self.target = target
        self.slice = slice
        self.takesState = takesState
        self.lens = lens
        self.order = order
        address = lens.finder == nil ? lens.address(of: []) : .root
    }
}

extension Route {
    /// The responder at an index, where an action is meant for it; the caller keeps the route.
    ///
    /// Not counted, as an answer that begins nothing takes little more.
    package func responder(
        at index: Int, to dispatch: borrowing Dispatch
    ) -> Unmanaged<Responder>? {
        let responder = Unmanaged.passUnretained(responders[index])
        if dispatch.address.components.isEmpty { return responder }
        let steps = responder._withUnsafeGuaranteedRef { $0.lens.steps }
        return dispatch.address.includes(steps) ? responder : nil
    }
}
