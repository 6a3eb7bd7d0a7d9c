// SPDX-License-Identifier: MIT
#if Server

/// One keyed piece of a page: a template and the view model it is drawn from.
///
/// The page stands in the browser as `<div data-fragment="key">…</div>`, one element per fragment,
/// and a fragment is the unit that travels: when its HTML changes, this fragment is sent and no
/// other.
///
/// A fragment whose model equals the one before isn't rendered again. The view model is therefore
/// the place to leave out what nobody should see: what isn't in a model is in no response.
///
/// The template finds in its context the stored properties of the model, and two names of the page:
/// `{{expects}}` (the page's token, see ``Page``) and `{{request}}` (a fresh request id). The partial
/// `{{> onward/form}}` writes both as hidden fields of a form.
public struct Fragment: Sendable {
    /// Names the fragment, the same in every rendering; unique in its page.
    public let key: String
    /// The name of the template in the page's library.
    public let template: String
    /// What the template is drawn from.
    let model: any Equatable & Sendable

    /// Creates a fragment.
    ///
    /// - Parameters:
    ///   - key: Names the fragment, unique in its page. Letters, digits and `-_./#` only.
    ///   - template: The name of a template of the page's library; the key when nil.
    ///   - model: A value whose stored properties are the names in the template. Compared with
    ///     `==` to find out whether the fragment has to be rendered again.
    public init(_ key: String, template: String? = nil, model: some Equatable & Sendable) {
        self.key = key
        self.template = template ?? key
        self.model = model
    }
}

extension Fragment {
    /// Whether the key can stand in HTML as it is.
    var hasValidKey: Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", "#": true
                default: false
                }
            }
    }

    /// Whether `other` would be drawn the same: same key, same template, equal models.
    func drawsTheSame(as other: Fragment) -> Bool {
        func equals<Model: Equatable>(_ model: Model) -> Bool { other.model as? Model == model }
        return key == other.key && template == other.template && equals(model)
    }
}
#endif
