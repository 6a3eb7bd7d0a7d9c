// SPDX-License-Identifier: MIT

import Onward

@testable import OnwardCore

/// A change of a number, for tests of the machines that hold changes back.
func change(_ old: Int, _ new: Int) -> Change { Change(from: copy(old), to: copy(new)) }

private func copy(_ number: Int) -> ValueCopy {
    withUnsafePointer(to: number) { ValueCopy(of: UnsafeRawPointer($0), TypedValue<Int>()) }
}

extension Change {
    /// The old and the new number.
    var numbers: [Int] {
        withPointers { [$0.load(as: Int.self), $1.load(as: Int.self)] }
    }
}
