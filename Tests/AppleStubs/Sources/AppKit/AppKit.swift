// SPDX-License-Identifier: MIT

/// The running program.
public final class NSApplication {
    public enum ActivationPolicy: Int, Sendable { case regular }
    public static let shared = NSApplication()
    @discardableResult public func setActivationPolicy(_ policy: ActivationPolicy) -> Bool { true }
    public func activate() {}
}
