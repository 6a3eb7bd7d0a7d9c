// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreLimits {
    private enum ObservedValues: LimitKey {
        static var defaultValue: Int { 10_000 }
    }

    /// The maximum number of values observed at once (`store[\.path]`), 10,000 by default;
    /// beyond that, observers of the values read longest ago are notified as if these had
    /// changed.
    public var observedValues: Int {
        get { self[ObservedValues.self] }
        set { self[ObservedValues.self] = newValue }
    }
}
