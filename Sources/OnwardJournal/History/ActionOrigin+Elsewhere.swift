// SPDX-License-Identifier: MIT

package import Onward

extension ActionOrigin {
    /// The origin of an install whose state another log has led to, such as that of a server.
    ///
    /// A ``History`` goes on from such a state. One that another gate installs to show another moment is
    /// none of its business: the log stays what it was.
    package static var elsewhere: ActionOrigin { ActionOrigin(file: "elsewhere", line: 0) }
}
