// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// A piece of a file's text, in bytes, and what takes its place.
struct Edit: Equatable {
    let range: Range<Int>
    let replacement: String

    init(_ range: Range<Int>, _ replacement: String) {
        self.range = range
        self.replacement = replacement
    }

    /// Replaces a node, without what stands around it.
    init(replacing node: some SyntaxProtocol, with replacement: String) {
        self.init(
            node.positionAfterSkippingLeadingTrivia
                .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset, replacement)
    }
}

extension String {
    /// The text after edits; those that overlap an earlier one are left out.
    func applying(_ edits: [Edit]) -> String {
        var bytes: [UInt8] = []
        let old = Array(utf8)
        var end = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where edit.range.lowerBound >= end && edit.range.upperBound <= old.count {
            bytes += old[end..<edit.range.lowerBound]
            bytes += edit.replacement.utf8
            end = edit.range.upperBound
        }
        return String(decoding: bytes + old[end...], as: UTF8.self)
    }
}
