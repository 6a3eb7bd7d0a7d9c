// SPDX-License-Identifier: MIT

#if Testing
public import CustomDump
public import Onward

extension UniqueID: CustomDumpStringConvertible {
    /// The text form, as code.
    public var customDumpDescription: String { "UniqueID(\"\(self)\")" }
}

extension Address: CustomDumpStringConvertible {
    /// The text form, as code.
    public var customDumpDescription: String { "Address(\"\(self)\")" }
}
#endif
