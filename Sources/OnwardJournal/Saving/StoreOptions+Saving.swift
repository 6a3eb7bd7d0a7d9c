// SPDX-License-Identifier: MIT

package import Onward

extension StoreOptions {
    private enum Key: StoreOptionKey {
        static var defaultValue: @Sendable (SavingError) -> Void { SavingError.print }
    }

    /// Called with what a ``Saving`` of the store could not read or write and has no `report` of its own for.
    package var savingError: @Sendable (SavingError) -> Void {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
