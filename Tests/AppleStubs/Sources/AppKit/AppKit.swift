// SPDX-License-Identifier: MIT

@_exported public import Foundation

/// The running program.
@MainActor public final class NSApplication {
    public enum ActivationPolicy: Int, Sendable { case regular }

    public static let shared = NSApplication()
    @discardableResult public func setActivationPolicy(_ policy: ActivationPolicy) -> Bool { true }
    public func activate() {}
}

@MainActor open class NSView {
    public init() {}
}

/// A line of text, which may be edited.
@MainActor public final class NSTextField: NSView {
    public var stringValue = ""
    public weak var delegate: (any NSTextFieldDelegate)?

    public convenience init(labelWithString text: String) {
        self.init()
        stringValue = text
    }
    public convenience init(string text: String) {
        self.init()
        stringValue = text
    }

    /// What somebody types; tests do.
    public func type(_ text: String) {
        stringValue = text
        delegate?.controlTextDidChange(
            Notification(name: Notification.Name("NSControlTextDidChange"), object: self))
    }
}

/// What a text field reports.
@MainActor public protocol NSTextFieldDelegate: AnyObject {
    func controlTextDidChange(_ notification: Notification)
}

@MainActor public final class NSStackView: NSView {
    public convenience init(views: [NSView]) { self.init() }
}

@MainActor open class NSViewController {
    private var loaded: NSView?

    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) { nil }

    public var view: NSView {
        get {
            if loaded == nil {
                loadView()
                viewDidLoad()
            }
            return loaded ?? NSView()
        }
        set { loaded = newValue }
    }
    open func loadView() { view = NSView() }
    open func viewDidLoad() {}
}
