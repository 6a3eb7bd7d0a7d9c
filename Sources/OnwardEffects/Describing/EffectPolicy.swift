// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What happens when an effect is about to start while another one with the same id is running.
public enum EffectPolicy: Sendable, Hashable {
    /// Both run.
    case concurrent
    /// The running effect is cancelled, waiting ones are dropped, and the new one starts at once.
    ///
    /// If a debounce delays the new effect, the running one is cancelled when the debounce begins.
    case latest
    /// The new one is dropped.
    case dropping
    /// The new one waits until all effects before it have ended.
    case queue
}
