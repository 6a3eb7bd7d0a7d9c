// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreLimits {
    private enum ReadSelectors: LimitKey {
        static var defaultValue: Int { 16 }
    }

    /// How many selectors without subscribers are remembered, with the values computed when they
    /// were read; 16 by default.
    public var readSelectors: Int {
        get { self[ReadSelectors.self] }
        set { self[ReadSelectors.self] = newValue }
    }
}
