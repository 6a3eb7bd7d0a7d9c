// SPDX-License-Identifier: MIT

internal import Onward

extension Address {
    /// The address of an instance inside this one.
    func appending<State>(_ instance: AddressPath<State>) -> Address {
        if self == .root { return instance.address }
        // Both texts are addresses, and so is the one after the other.
        return Address("\(self)/\(instance.address)") ?? instance.address
    }
}
