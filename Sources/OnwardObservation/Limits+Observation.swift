// SPDX-License-Identifier: MIT

public import OnwardCore

extension Limits {
    private enum ObservedValues: LimitKey {
        static var defaultValue: Int { 10_000 }
    }

    /// How many values may be observed at once (`store[\.path]`), 10,000 by default; beyond
    /// that, observers of the values that were read longest ago are delivered as if these had
    /// changed.
    public var observedValues: Int {
        get { self[ObservedValues.self] }
        set { self[ObservedValues.self] = newValue }
    }
}
