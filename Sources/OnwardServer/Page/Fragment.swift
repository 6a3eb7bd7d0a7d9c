// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// One keyed piece of a page: a template and the view model that it is drawn from.
///
/// In the browser the page consists of elements `<div data-fragment="key">…</div>`, one per
/// fragment, and fragments are the unit of transfer: when the HTML of one changes, only it is sent.
///
/// A fragment whose model equals the previous one isn't rendered again. The view model is therefore
/// the place to leave out what must not be visible: what isn't in a model isn't in any response.
///
/// In its context, the template finds the stored properties of the model and two names of the page:
/// `{{expects}}` (the page's token, see ``Page``) and `{{request}}` (a fresh request id). The
/// partial `{{> onward/form}}` writes both as hidden fields of a form.
///
/// In a long list, the unit of transfer is the row: see
/// ``init(_:in:template:rows:)``.
public struct Fragment: Sendable {
    /// Identifies the fragment in every rendering; unique in its page.
    public let key: String
    /// The name of the template in the page's library.
    public let template: String
    /// What the template is drawn from.
    let content: Content

    /// One model, or one for each row.
    enum Content: Sendable {
        case model(any Equatable & Sendable)
        case rows(any RowModels, RowContainer)
    }

    /// Creates a fragment.
    ///
    /// - Parameters:
    ///   - key: Identifies the fragment, unique in its page. Letters, digits and `-_./#` only.
    ///   - template: The name of a template in the page's library; the key if nil.
    ///   - model: A value whose stored properties are the names in the template. Compared with `==`
    ///     to decide whether the fragment has to be rendered again.
    public init(_ key: String, template: String? = nil, model: some Equatable & Sendable) {
        self.key = key
        self.template = template ?? key
        self.content = .model(model)
    }

    /// Creates a list that renders and sends only the rows that changed.
    ///
    /// ```swift
    /// Fragment("todos", template: "todo", rows: state.todos.map(TodoView.init))
    /// ```
    ///
    /// The template draws one row: a single element that identifies itself with `{{> onward/row}}`.
    ///
    /// ```html
    /// <li {{> onward/row}} class="todo">{{title}}</li>
    /// ```
    ///
    /// A row that changed, came, left or moved is sent by itself. Its element stays the same
    /// element, with the focus and what a reader has typed, wherever the row goes. A reader that
    /// skipped a version in which rows came, left or moved is sent the whole list.
    ///
    /// - Parameters:
    ///   - key: Identifies the fragment, unique in its page. Letters, digits and `-_./#` only.
    ///   - container: The element around the rows.
    ///   - template: The name of the template of a row; the key if nil.
    ///   - rows: The models of the rows in order. Their ids identify the rows: each must be unique
    ///     and have a text of its own, as in an address. Models are compared with `==` to decide
    ///     which rows have to be rendered again.
    ///   Of an `EntityTable`, a row that gets another id by `rename(id:to:)` keeps its element.
    /// - Complexity: Each rendered version compares all models and renders those that changed.
    public init<Row: Identifiable & Equatable & Sendable>(
        _ key: String, in container: RowContainer = .ul, template: String? = nil,
        rows: some Sequence<Row>
    ) where Row.ID: Sendable {
        self.key = key
        self.template = template ?? key
        self.content = .rows(
            TypedRowModels(models: Array(rows), log: (rows as? EntityTable<Row>)?.log), container)
    }

    /// Creates a list of the rows of a table, each drawn from a model of its own.
    ///
    /// ```swift
    /// Fragment("todos", template: "todo", rows: state.todos) { TodoView($0) }
    /// ```
    ///
    /// As with models alone, and a row that gets another id by `rename(id:to:)` keeps its element.
    ///
    /// - Parameters:
    ///   - key: Identifies the fragment, unique in its page. Letters, digits and `-_./#` only.
    ///   - container: The element around the rows.
    ///   - template: The name of the template of a row; the key if nil.
    ///   - table: The rows in order.
    ///   - model: The model of a row, with the row's id. Models are compared with `==` to decide
    ///     which rows have to be rendered again.
    /// - Complexity: Each rendered version compares all models and renders those that changed.
    public init<Source: Identifiable & Sendable, Row: Identifiable & Equatable & Sendable>(
        _ key: String, in container: RowContainer = .ul, template: String? = nil,
        rows table: EntityTable<Source>, model: (Source) -> Row
    ) where Source.ID == Row.ID, Row.ID: Sendable {
        self.key = key
        self.template = template ?? key
        self.content = .rows(
            TypedRowModels(models: table.map(model), log: table.log), container)
    }
}

extension Fragment {
    /// Whether the key is valid in HTML without escaping.
    var hasValidKey: Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", "#": true
                default: false
                }
            }
    }

    /// The name of its element in the document.
    var tag: String {
        switch content {
        case .model: "div"
        case .rows(_, let container): container.rawValue
        }
    }
}
#endif
