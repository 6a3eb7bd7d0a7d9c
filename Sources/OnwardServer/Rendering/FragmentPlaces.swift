// SPDX-License-Identifier: MIT
#if Server

import Mustache

/// The fragments that a layout places separately, as `{{{fragment.KEY}}}`.
///
/// A comment marks each place, even that of a fragment that isn't there now: the script finds it
/// when the fragment appears. Comments are not elements, so no style or table notices them.
struct FragmentPlaces: MustacheParent {
    private let elements: [String: String]

    init(_ elements: [(key: String, element: String)]) {
        self.elements = Dictionary(uniqueKeysWithValues: elements)
    }

    func child(named name: String) -> Any? {
        DrawnHTML("<!--fragment \(name)-->\(elements[name] ?? "")")
    }

    /// All fragments in order, as `{{{fragments}}}`.
    static func list(_ elements: [String]) -> DrawnHTML {
        DrawnHTML("<!--fragments-->\n" + elements.joined(separator: "\n"))
    }
}
#endif
