// SPDX-License-Identifier: MIT

import Mustache
import Onward
import OnwardServer

extension Page<RowList> {
    /// The list as a page with two fragments: how many rows there are, and the rows.
    static func rowList() throws -> Page<RowList> {
        var library = MustacheLibrary()
        try library.register("<h1>{{count}} rows</h1>", named: "summary")
        try library.register(row, named: "row")
        return try Page(title: "Rows", templates: library, accepts: [RowAction.self]) { list in
            [
                Fragment("summary", model: ["count": list.rows.count]),
                Fragment("rows", in: .ol, template: "row", rows: list.rows),
            ]
        }
    }

    private static let row = """
        <li {{> onward/row}}><form method="post" data-action>
        <input type="hidden" name="request" value="{{request}}">
        <input type="hidden" name="id" value="{{id}}">
        <input name="title" value="{{title}}" aria-label="Title">
        <button name="type" value="RowAction/rename">Save</button>
        <button name="type" value="RowAction/count">{{count}}</button>
        <button name="type" value="RowAction/insert">Insert</button>
        <button name="type" value="RowAction/remove">Remove</button>
        <button name="type" value="RowAction/raise">Raise</button>
        </form></li>
        """
}
