// SPDX-License-Identifier: MIT

public import Foundation

/// What a shape is filled with.
public protocol ShapeStyle: Sendable {}

public struct Color: View, DrawnView, ShapeStyle, Hashable {
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {}
    init() {}

    public static let white = Color(), black = Color(), teal = Color(), clear = Color()
    public func opacity(_ opacity: Double) -> Color { self }

    func draw(into canvas: Canvas) {}
}

extension ShapeStyle where Self == Color {
    public static var white: Color { Color() }
    public static var teal: Color { Color() }
    public static var tint: Color { Color() }
    public static var secondary: Color { Color() }
}

public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
    public static var thinMaterial: Material { Material() }
}

public struct LinearGradient: View, DrawnView, ShapeStyle {
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {}
    func draw(into canvas: Canvas) {}
}

public enum UnitPoint: Sendable { case top, bottom, topLeading, bottomTrailing }

/// An outline.
public protocol Shape: Sendable, View {}

public struct RoundedRectangle: Shape, DrawnView {
    public init(cornerRadius: CGFloat) {}
    func draw(into canvas: Canvas) {}
}
public struct Rectangle: Shape, DrawnView {
    public init() {}
    func draw(into canvas: Canvas) {}
}
public struct Capsule: Shape, DrawnView {
    public init() {}
    func draw(into canvas: Canvas) {}
}

extension Shape {
    public func fill(_ style: some ShapeStyle) -> some View { self }
    public func strokeBorder(_ style: some ShapeStyle, lineWidth: CGFloat = 1) -> some View { self }
}
extension Shape where Self == Rectangle {
    public static var rect: Rectangle { Rectangle() }
}
extension Shape where Self == Capsule {
    public static var capsule: Capsule { Capsule() }
}

public struct Font: Sendable {
    public enum Weight: Sendable { case semibold, bold }
    public enum Design: Sendable { case rounded }
    public static let largeTitle = Font(), title = Font(), headline = Font(), footnote = Font(),
        caption = Font()
    public func weight(_ weight: Weight) -> Font { self }
    public func bold() -> Font { self }
}

public struct Animation: Sendable {
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
}

public struct Angle: Sendable {
    public static func degrees(_ degrees: Double) -> Angle { Angle() }
}

public enum ContentMode: Sendable { case fit, fill }

// MARK: - What buttons and lists may look like

public protocol PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
public struct BorderedButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle {
        BorderedProminentButtonStyle()
    }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

public enum ControlSize: Sendable { case large }

public struct KeyEquivalent: ExpressibleByExtendedGraphemeClusterLiteral, Sendable {
    public init(extendedGraphemeClusterLiteral key: Character) {}
}

public struct AccessibilityTraits: SetAlgebra, Sendable {
    private var names: Set<String> = []
    private init(_ name: String) { names = [name] }
    public static let isSelected = AccessibilityTraits("selected")

    public init() {}
    public func contains(_ member: AccessibilityTraits) -> Bool {
        names.isSuperset(of: member.names)
    }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits {
        var all = self
        all.names.formUnion(other.names)
        return all
    }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        var common = self
        common.names.formIntersection(other.names)
        return common
    }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        var different = self
        different.names.formSymmetricDifference(other.names)
        return different
    }
    public mutating func insert(
        _ member: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
        let isNew = !contains(member)
        names.formUnion(member.names)
        return (isNew, member)
    }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        defer { names.subtract(member.names) }
        return contains(member) ? member : nil
    }
    public mutating func update(with member: AccessibilityTraits) -> AccessibilityTraits? {
        insert(member).inserted ? nil : member
    }
    public mutating func formUnion(_ other: AccessibilityTraits) { self = union(other) }
    public mutating func formIntersection(_ other: AccessibilityTraits) {
        self = intersection(other)
    }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
        self = symmetricDifference(other)
    }
}
