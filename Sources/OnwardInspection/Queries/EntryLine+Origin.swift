// SPDX-License-Identifier: MIT

package import Onward
internal import OnwardJournal

extension EntryLine {
    /// Notes where the action came from: the source, or a request.
    package mutating func note(_ origin: ActionOrigin) {
        if let source = origin.request {
            request = source.id
            page = source.page.isEmpty ? nil : source.page
        } else {
            (file, line) = (origin.file, origin.line)
        }
    }
}
