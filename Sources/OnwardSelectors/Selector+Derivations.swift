// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension StateSelector {
    /// What follows the changes of a table.
    ///
    /// - Parameters:
    ///   - derivation: What is made of the table.
    ///   - table: The table.
    ///   - origin: Where the selector was made.
    @inlinable
    init<Each: TableDerivation>(
        _ derivation: Each, of table: StateSelector<State, EntityTable<Each.Row>>,
        origin: ActionOrigin
    ) where Each.Value == Value {
        let recipe = SelectorRecipe<
            EntityTable<Each.Row>, ChangeLog<Each.Row.ID>, Each.Kept, Value
        >(
            remember: { $0.log }, isSame: { $0.mark == $1.mark },
            follow: { derivation.follow(&$0, since: $1, in: $2) },
            compute: { derivation.compute($0) }, value: { derivation.value(of: $0) })
        self.init(table, origin: origin) { table, root, node in
            recipe.result(in: root, node) { table.read(root).value }
        }
    }

    /// What follows the changes of a table, and those of a parameter.
    ///
    /// With another parameter it continues from what it made with the previous one, where the
    /// derivation can and the parameter is known: one that is not `Equatable` is not kept.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - parameter: The parameter.
    ///   - origin: Where the selector was made.
    ///   - derivation: What is made of the table with a parameter.
    @inlinable
    init<Parameter: Sendable, Each: TableDerivation>(
        of table: StateSelector<State, EntityTable<Each.Row>>,
        with parameter: StateSelector<State, Parameter>,
        origin: ActionOrigin, _ derivation: @escaping @Sendable (Parameter) -> Each
    ) where Each.Kept == Value {
        let comparison = InputComparison(of: Parameter.self)
        let recipe = SelectorRecipe<
            TableInputs<Each.Row, Parameter>, TableMemory<Each.Row.ID, Parameter>, Value, Value
        >(
            remember: {
                TableMemory(log: $0.table.log, parameter: comparison.memory(of: $0.parameter))
            },
            isSame: {
                $0.log.mark == $1.table.mark && comparison.isSame($0.parameter, $1.parameter)
            },
            follow: { kept, memory, inputs in
                let new = derivation(inputs.parameter.value)
                if comparison.isSame(memory.parameter, inputs.parameter) {
                    return new.follow(&kept, since: memory.log, in: inputs.table)
                }
                return new.adopt(
                    &kept, of: memory.parameter.value.map(derivation), since: memory.log,
                    in: inputs.table)
            },
            compute: { derivation($0.parameter.value).compute($0.table) },
            value: { $0 })
        self.init(table, parameter, origin: origin) { table, parameter, root, node in
            recipe.result(in: root, node) {
                TableInputs(table: table.read(root).value, parameter: parameter.read(root))
            }
        }
    }

    /// What follows the changes of two tables, of which rows of the first name rows of the second.
    @inlinable
    init<Row, Other, NewRow>(
        _ join: TableJoin<Row, Other, NewRow>, of table: StateSelector<State, EntityTable<Row>>,
        _ others: StateSelector<State, EntityTable<Other>>, origin: ActionOrigin
    ) where Value == EntityTable<NewRow> {
        let recipe = SelectorRecipe<
            (EntityTable<Row>, EntityTable<Other>), (ChangeLog<Row.ID>, ChangeLog<Other.ID>),
            TableJoin<Row, Other, NewRow>.Kept, Value
        >(
            remember: { ($0.0.log, $0.1.log) },
            isSame: { $0.0.mark == $1.0.mark && $0.1.mark == $1.1.mark },
            follow: { join.follow(&$0, since: $1.0, $1.1, in: $2.0, $2.1) },
            compute: { join.compute($0.0, $0.1) }, value: { $0.rows })
        self.init(table, others, origin: origin) { table, others, root, node in
            recipe.result(in: root, node) { (table.read(root).value, others.read(root).value) }
        }
    }

    /// What is made from each group of rows, and follows the changes of the groups.
    @inlinable
    init<Key, Each: TableDerivation>(
        each derivation: Each, of groups: StateSelector<State, EntityGroups<Key, Each.Row>>,
        origin: ActionOrigin
    ) where Value == GroupValues<Key, Each.Value> {
        let derivation = GroupDerivation<Key, Each>(derivation)
        let recipe = SelectorRecipe<
            EntityGroups<Key, Each.Row>, ChangeLog<Key>, GroupDerivation<Key, Each>.Kept, Value
        >(
            remember: { $0.log }, isSame: { $0.mark == $1.mark },
            follow: {
                derivation.follow(&$0, since: $1, in: $2)
                return true
            },
            compute: { derivation.compute($0) }, value: { $0.values })
        self.init(groups, origin: origin) { groups, root, node in
            recipe.result(in: root, node) { groups.read(root).value }
        }
    }

    /// What is evaluated from one other selector.
    @inlinable
    init<Input: Sendable>(
        _ input: StateSelector<State, Input>, origin: ActionOrigin,
        _ evaluate:
            @escaping @Sendable (BoundInput<Input>, RootCopy, AnySelectorNode)
            -> SelectorResult<Value>
    ) {
        self.init(
            identity: SelectorIdentity(), origin: origin, inputs: [AnySelector(input)]
        ) { site, identity in
            site.node(identity, origin) { site, registration in
                let input = site.input(input)
                var inputs = SelectorInputs()
                inputs.add(input)
                return SelectorNode(registration, inputs) { root, node in
                    evaluate(input, root, node)
                }
            }
        }
    }

    /// What is evaluated from two other selectors.
    @inlinable
    init<First: Sendable, Second: Sendable>(
        _ first: StateSelector<State, First>, _ second: StateSelector<State, Second>,
        origin: ActionOrigin,
        _ evaluate:
            @escaping @Sendable (
                BoundInput<First>, BoundInput<Second>, RootCopy, AnySelectorNode
            ) -> SelectorResult<Value>
    ) {
        self.init(
            identity: SelectorIdentity(), origin: origin,
            inputs: [AnySelector(first), AnySelector(second)]
        ) { site, identity in
            site.node(identity, origin) { site, registration in
                let (first, second) = (site.input(first), site.input(second))
                var inputs = SelectorInputs()
                inputs.add(first)
                inputs.add(second)
                return SelectorNode(registration, inputs) { root, node in
                    evaluate(first, second, root, node)
                }
            }
        }
    }
}
