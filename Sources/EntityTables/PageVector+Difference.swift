// SPDX-License-Identifier: MIT

extension PageVector {
    /// Calls `body` with the numbers whose items may differ, in ascending order.
    ///
    /// Pages that both vectors share are skipped, whatever they hold. A number that only one
    /// vector has is always reported.
    ///
    /// - Complexity: O(*d* log *n*) for *d* changed items.
    @inlinable
    func forEachNumberThatMayDiffer(from other: Self, _ body: (Int) -> Void) {
        var (left, right) = (self, other)
        while left.shift < right.shift { left.addLevel() }
        while right.shift < left.shift { right.addLevel() }
        left.root.compare(with: right.root, shift: left.shift, first: 0, body)
    }
}

extension PageVector.Page {
    @inlinable
    func compare(with other: Self, shift: Int, first: Int, _ body: (Int) -> Void) {
        if shift == 0 {
            guard !items.sharesStorage(with: other.items) else { return }
            for slot in 0..<max(items.count, other.items.count) { body(first + slot) }
            return
        }
        guard !pages.sharesStorage(with: other.pages) else { return }
        for slot in 0..<max(pages.count, other.pages.count) {
            let left = slot < pages.count ? pages[slot] : Self()
            let right = slot < other.pages.count ? other.pages[slot] : Self()
            left.compare(
                with: right, shift: shift - 5,
                first: first + (slot << shift), body)
        }
    }
}

extension ContiguousArray {
    /// Whether both arrays are one buffer, and so equal without a look at the elements.
    ///
    /// Arrays are compared while both are alive, so one address cannot belong to two buffers.
    @inlinable
    func sharesStorage(with other: Self) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { left in
                other.withUnsafeBufferPointer { right in left.baseAddress == right.baseAddress }
            }
    }
}
