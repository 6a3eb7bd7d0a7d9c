// SPDX-License-Identifier: MIT

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(WASILibc)
internal import WASILibc
#endif

/// Where a program writes complaints if it has no one else to report to.
package enum StandardError {
    /// Writes a line that says where it comes from.
    ///
    /// It never fails: a full disk behind it, or none at all, must not end the program.
    package static func say(_ complaint: some CustomStringConvertible) {
        #if !canImport(WinSDK)
        let line = "Onward: \(complaint)\n"
        line.utf8.withContiguousStorageIfAvailable { bytes in
            _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
        #endif
    }
}
