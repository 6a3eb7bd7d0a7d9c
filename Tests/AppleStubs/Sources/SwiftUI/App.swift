// SPDX-License-Identifier: MIT

/// An app; there is none to run here.
@MainActor public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    /// Says that nothing is shown here.
    public static func main() {
        print(
            "\(Self.self) has been compiled against stubs of SwiftUI, which show nothing. Run it on a Mac."
        )
    }
}

/// A part of an app.
@MainActor public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

/// Windows that look alike.
public struct WindowGroup<Content: View>: Scene {
    public init(_ key: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {}
    public var body: Never { fatalError("never drawn") }
}

extension Scene {
    public func defaultSize(width: Double, height: Double) -> some Scene { self }
}

/// Makes scenes of statements.
@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
