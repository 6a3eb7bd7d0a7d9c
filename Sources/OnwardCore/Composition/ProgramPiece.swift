// SPDX-License-Identifier: MIT

/// What a part registers besides reducers, responders and middlewares, for a layer above the core that
/// finds it in the program.
package protocol ProgramPiece: Sendable {}
