// SPDX-License-Identifier: MIT

import TunesService

/// What is shown for a cover that can't be had: the same shape and colours for the same cover, so that
/// the game can go on.
struct Placeholder {
    let svg: String

    init(_ name: CoverName) {
        let number = Int(name.description.prefix(6), radix: 16) ?? 0
        let hue = number % 24 * 15
        let shape = Self.shapes[number / 24 % Self.shapes.count]
        svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" width="80" height="80">
            <rect width="80" height="80" fill="hsl(\(hue) 45% 88%)"/>
            <g fill="hsl(\(hue) 55% 38%)" stroke="hsl(\(hue) 55% 38%)" stroke-width="0">\(shape)</g>
            </svg>
            """
    }

    private static let shapes = [
        #"<circle cx="40" cy="40" r="20"/>"#,
        #"<path d="M40 18 62 58H18z"/>"#,
        #"<rect x="22" y="22" width="36" height="36" rx="5"/>"#,
        #"<path d="M40 16 64 40 40 64 16 40z"/>"#,
        #"<circle cx="40" cy="40" r="15" fill="none" stroke-width="9"/>"#,
        #"<path d="M33 18h14v15h15v14H47v15H33V47H18V33h15z"/>"#,
        #"<path d="M20 50a20 20 0 0 1 40 0z"/>"#,
        #"<path d="M20 30h40v8H20zM20 44h40v8H20z"/>"#,
    ]
}
