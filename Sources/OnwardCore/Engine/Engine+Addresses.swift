// SPDX-License-Identifier: MIT

extension Engine {
    /// An address whose rows are named by their ids, so that no code of an id runs under the lock
    /// but its hash and its `==`.
    ///
    /// - Complexity: O(1) unless a row is named by a text.
    @inlinable
    package func settled(_ address: Address) -> Address {
        address.hasRowTexts ? settledTexts(address) : address
    }

    @usableFromInline
    func settledTexts(_ address: Address) -> Address {
        guard !isInsideReducer else { return address }
        let features = whole { $0.state.features }
        return features.settled(address) { reading { $0.copyState() } }
    }
}
