// SPDX-License-Identifier: MIT

/// The action of an entry that records an installed state.
public struct Travel: Action {
    package init() {}
}
