// SPDX-License-Identifier: MIT

/// Names a limit of a layer above the core.
package protocol LimitKey {
    /// What holds unless a client says otherwise.
    static var defaultValue: Int { get }
}
