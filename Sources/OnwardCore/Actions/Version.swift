// SPDX-License-Identifier: MIT

/// The number of a commit: 1 for the first, then 2, 3 … without gaps; 0 before any commit.
public typealias Version = UInt64
