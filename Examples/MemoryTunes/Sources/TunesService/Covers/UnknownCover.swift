// SPDX-License-Identifier: MIT

/// No cover has the name that was asked for.
public struct UnknownCover: Error, Hashable {}
