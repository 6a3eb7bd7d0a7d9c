// SPDX-License-Identifier: MIT

extension SliceLens {
    /// Calls its closure with each instance that an address names, and changes nothing.
    ///
    /// The closure gets the rows on the way to the instance, and a pointer to its value.
    package typealias Scan =
        @Sendable (
            UnsafeRawPointer, Address, [RowKey], ([RowKey], UnsafeRawPointer) -> Void
        ) -> Void

    /// Looks at each instance that `address` names.
    package func look(
        at address: Address, in root: UnsafeRawPointer,
        _ body: (_ rows: [RowKey], UnsafeRawPointer) -> Void
    ) {
        look(at: address, from: root + range.lowerBound, body)
    }

    /// The same with a pointer to the value at the beginning of `range`.
    package func look(
        at address: Address, from start: UnsafeRawPointer,
        _ body: (_ rows: [RowKey], UnsafeRawPointer) -> Void
    ) {
        guard let scan else { return body([], start) }
        scan(start, address, [], body)
    }

    /// Whether there is an instance that `address` names.
    package func contains(_ address: Address, in root: UnsafeRawPointer) -> Bool {
        var isThere = false
        look(at: address, in: root) { _, _ in isThere = true }
        return isThere
    }

    /// The instances that `address` names.
    package func instances(of address: Address, in root: UnsafeRawPointer) -> [Address] {
        guard address.includes(steps) else { return [] }
        var instances: [Address] = []
        look(at: address, in: root) { rows, _ in instances.append(self.address(of: rows)) }
        return instances
    }

    /// The value of the first instance that `address` names.
    package func value<Slice>(of address: Address, in root: UnsafeRawPointer, as type: Slice.Type)
        -> Slice?
    {
        var value: Slice?
        look(at: address, in: root) { _, slice in
            value = value ?? slice.assumingMemoryBound(to: Slice.self).pointee
        }
        return value
    }

    /// The address of an instance here by the rows on the way to it.
    package func address(of rows: [RowKey]) -> Address {
        var rows = rows[...]
        return Address(
            steps.compactMap { step in
                switch step {
                case .slice(let name): .slice(name)
                case .anyRow: rows.popFirst().map { .row($0) }
                }
            })
    }
}
