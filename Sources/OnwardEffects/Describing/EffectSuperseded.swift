// SPDX-License-Identifier: MIT

/// Ends a sequence whose step was cancelled, dropped, or has already reported its error.
struct EffectSuperseded: Error {}
