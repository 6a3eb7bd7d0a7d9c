// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What happens when an effect is to start while another one of the same id runs.
public enum EffectPolicy: Sendable, Hashable {
    /// Both run.
    case concurrent
    /// The running one is cancelled, and those that wait are dropped; the new one starts at once. Where a debounce holds
    /// the new one back, the running one is cancelled when that begins.
    case latest
    /// The new one is dropped.
    case dropping
    /// The new one waits until those before it have ended.
    case queue
}
