// SPDX-License-Identifier: MIT

/// The right of something to dispatch, which ends when that something does.
///
/// A commit looks at it under the lock, so that nothing is committed in the name of what is over.
package protocol DispatchPermit: AnyObject, Sendable {
    /// Whether it no longer holds; may be asked by any thread, under the lock too.
    var isOver: Bool { get }
}
