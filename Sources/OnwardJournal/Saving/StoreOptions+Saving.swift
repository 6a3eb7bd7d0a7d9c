// SPDX-License-Identifier: MIT

package import Onward

extension StoreOptions {
    private enum Key: StoreOptionKey {
        static var defaultValue: @Sendable (SavingError) -> Void { SavingError.print }
    }

    /// Called when a ``Saving`` without its own `report` could not read or write something.
    package var savingError: @Sendable (SavingError) -> Void {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
