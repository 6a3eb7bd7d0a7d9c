// SPDX-License-Identifier: MIT

/// What has become of a slice or a row that a client may see.
package struct SyncChange: Sendable, Hashable, Codable {
    /// The name under which the view shows the slice or the table.
    package var part: String
    /// The row's id; nil for a slice.
    package var row: [UInt8]?
    /// The new value; nil if it is gone, or the client may no longer see it.
    package var value: [UInt8]?

    package init(part: String, row: [UInt8]? = nil, value: [UInt8]?) {
        self.part = part
        self.row = row
        self.value = value
    }

    /// About how many bytes it takes in a message.
    var size: Int { part.utf8.count + (row?.count ?? 0) + (value?.count ?? 0) + 32 }
}
