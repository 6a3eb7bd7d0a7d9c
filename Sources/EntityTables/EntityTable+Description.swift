// SPDX-License-Identifier: MIT

extension EntityTable: CustomStringConvertible, CustomReflectable {
    /// The rows in order, as an array describes its elements.
    public var description: String { Array(self).description }

    /// A mirror whose children are the rows in order.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: self, displayStyle: .collection)
    }
}
