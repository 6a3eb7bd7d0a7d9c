// SPDX-License-Identifier: MIT

extension Rule {
    static let impureReducer = Rule(
        name: "impure-reducer", certainty: .look,
        what: "a reducer reads or changes what is neither its state nor its action",
        why: """
            The log is replayed: travelling, restoring and tests run the reducers again, and have to \
            come to the same states.
            """,
        write: """
            Pass the value with the action, from where it is dispatched; do what changes the world \
            in a middleware.
            """,
        example: """
            struct AddNote: Action {
                let text: String
                let id: UUID
                let date: Date

                init(text: String, id: UUID = UUID(), date: Date = Date()) {
                    self.text = text
                    self.id = id
                    self.date = date
                }
            }
            """
    ) { file, codeBase in
        codeBase.reducerBodies(in: file)
            .flatMap { codeBase.arrivals(at: .impurity, from: $0) }.map(Place.init)
    }
}
