// SPDX-License-Identifier: MIT

import Onward

/// The features of a world, in several editions that can replace each other.
struct Features: Sendable {
    let stage: Stage
    let edition: Int

    func parts(_ middleware: Meddler.Mode?) -> Feature<World> {
        let (stage, edition) = (stage, edition)
        let sentinel = Sentinel(stage.recorder, "features")
        return Feature {
            if let middleware { Meddler(mode: middleware) }
            Check { (world: World, deed: DeskDeed) throws(CrowdRefusal) in
                guard case .claim(let claiming) = deed else { return }
                stage.checks(claiming, 0, Desk.Facts(world))
                if world.desk.claims.count >= 4 { throw .full }
            }
            Check { (world: World, deed: DeskDeed) throws(CrowdRefusal) in
                guard case .claim(let claiming) = deed else { return }
                stage.checks(claiming, 1, Desk.Facts(world))
                if claiming.weight > world.x + 1 { throw .tooHeavy }
            }
            OnRefusal { refused in stage.sees(refused) }
            Reduce { (world: inout World, deed: Deed) in
                stage.reducing {
                    sentinel.stay()
                    Self.reduce(&world, deed, stage)
                    world.features = edition
                }
            }
            Reduce { (world: inout World, deed: OddDeed) in
                stage.reducing { deed.reduce(&world) }
            }
            OnAction { (deed: Deed, context: EffectContext<World>) -> Effect in
                guard case .start(let plan) = deed else { return .none }
                return stage.effect(plan, context, in: "root") { Deed.answer($0) }
            }
            While(\.live) { _, context in
                await stage.keep("live", 1, 0, edition)
            }
            While(\.topic) { topic, context in
                await stage.keep("topic", topic, 0, edition)
            }
            Scope(\.left, panel("left"))
            Scope(\.right, panel("right"))
            Scope(\.sheet, panel("sheet"))
            Scope(\.desk, desk)
            Scope(each: \.rows, row)
            Scope(each: \.odd, oddRow)
        }
    }

    private static func reduce(_ world: inout World, _ deed: Deed, _ stage: Stage) {
        switch deed {
        case .bump(let field): world[field] += 1
        case .set(let field, let number): world[field] = number
        case .live(let live): world.live = live
        case .topic(let topic): world.topic = topic
        case .addRow(let id):
            world.births += 1
            world.rows.append(Row(id: id, birth: world.births))
        case .removeRow(let id): world.rows.remove(id: id)
        case .replaceRow(let id):
            guard world.rows[id: id] != nil else { return }
            world.births += 1
            world.rows.remove(id: id)
            world.rows.append(Row(id: id, birth: world.births, open: true))
        case .moveRow(let id): world.rows.move(id: id, to: 0)
        case .bumpRow(let id): world.rows[id: id]?.n += 1
        case .openSheet:
            // One that is assigned over another is the same instance, with another value.
            if world.sheet == nil { world.births += 1 }
            world.sheet = Panel(birth: world.sheet?.birth ?? world.births)
        case .closeSheet: world.sheet = nil
        case .keep(let kept): world.farewell = kept.map(Farewell.init)
        case .start: break
        case .answer: world.z += 1
        }
    }

    private func panel(_ name: String) -> Feature<Panel> {
        let (stage, edition) = (stage, edition)
        return Feature {
            Reduce { (panel: inout Panel, deed: PanelDeed) in
                stage.recorder.reduces()
                switch deed {
                case .bump: panel.n += 1
                case .live(let live): panel.live = live
                case .start(let plan): stage.recorder.reduced(plan.serial, by: panel.birth)
                case .answer(let serial):
                    stage.checkAnswer(to: serial, reaches: panel.birth, of: name)
                    panel.n += 1
                }
            }
            OnAction { (deed: PanelDeed, context: EffectContext<Panel>) -> Effect in
                guard case .start(let plan) = deed else { return .none }
                return stage.effect(plan, context, in: name) { PanelDeed.answer($0) }
            }
            While(\.live) { _, context in
                await stage.keep("\(name).live", 1, context.current.birth, edition)
            }
        }
    }

    private var desk: Feature<Desk> {
        let stage = stage
        return Feature {
            Check { (desk: Desk, deed: DeskDeed) throws(DeskRefusal) in
                guard case .claim(let claiming) = deed else { return }
                stage.checks(claiming, 2, nil)
                if !desk.isOpen { throw .closed }
            }
            Reduce { (desk: inout Desk, deed: DeskDeed, stamp) in
                stage.recorder.reduces()
                switch deed {
                case .open(let open): desk.isOpen = open
                case .claim(let claiming):
                    stage.reduces(claiming, desk)
                    desk.claims.append(
                        Claim(
                            serial: claiming.serial, id: stamp.id(), spare: stamp.id(),
                            time: stamp.time, author: stamp.author))
                }
            }
            OnAction { (deed: DeskDeed, context: EffectContext<Desk>) -> Effect in
                guard case .claim(let claiming) = deed, claiming.way == .byEffect else {
                    return .none
                }
                return .run {
                    soakPoint()
                    let answer = claiming.answer
                    stage.asks(answer)
                    stage.learns(
                        context.dispatch(DeskDeed.claim(answer), isolation: nil), of: answer)
                }
            }
        }
    }

    private var row: Feature<Row> {
        let (stage, edition) = (stage, edition)
        return Feature {
            Reduce { (row: inout Row, deed: RowDeed) in
                stage.recorder.reduces()
                switch deed {
                case .bump: row.n += 1
                case .retitle(let text): row.title.text = text
                case .open(let open): row.open = open
                case .start(let plan): stage.recorder.reduced(plan.serial, by: row.birth)
                case .answer(let serial):
                    stage.checkAnswer(to: serial, reaches: row.birth, of: "row \(row.id)")
                    row.n += 1
                }
            }
            OnAction { (deed: RowDeed, context: EffectContext<Row>) -> Effect in
                guard case .start(let plan) = deed else { return .none }
                return stage.effect(plan, context, in: "row \(context.current.id)") {
                    RowDeed.answer($0)
                }
            }
            While(\.open) { _, context in
                let row = context.current
                await stage.keep("row \(row.id).open", 1, row.birth, edition)
            }
        }
    }

    private var oddRow: Feature<OddRow> {
        let (stage, edition) = (stage, edition)
        return Feature {
            Reduce { (row: inout OddRow, deed: RowDeed) in
                stage.reducing {
                    switch deed {
                    case .bump, .retitle: row.n += 1
                    case .open(let open): row.open = open
                    case .start(let plan): stage.recorder.reduced(plan.serial, by: row.birth)
                    case .answer(let serial):
                        stage.checkAnswer(to: serial, reaches: row.birth, of: "an odd row")
                        row.n += 1
                    }
                }
            }
            OnAction { (row: OddRow, deed: RowDeed, context: EffectContext<OddRow>) -> Effect in
                guard case .start(let plan) = deed else { return .none }
                return stage.effect(plan, context, in: "odd \(row.birth)") { RowDeed.answer($0) }
            }
            While(\.open) { _, context in
                await stage.keep("odd.open", 1, context.current.birth, edition)
            }
            OnChange(of: \.n) { _, _, _ in .none }
        }
    }

    /// What the `While`s must keep alive in a world.
    static func expected(in world: World) -> [Record.Keeping] {
        var all: [Record.Keeping] = []
        func add(_ what: String, _ value: Int, _ birth: Int) {
            all.append(Record.Keeping(what: what, value: value, birth: birth, features: 0))
        }
        if world.live { add("live", 1, 0) }
        if let topic = world.topic { add("topic", topic, 0) }
        if world.left.live { add("left.live", 1, world.left.birth) }
        if world.right.live { add("right.live", 1, world.right.birth) }
        if let sheet = world.sheet, sheet.live { add("sheet.live", 1, sheet.birth) }
        for row in world.odd where row.open { add("odd.open", 1, row.birth) }
        for row in world.rows where row.open { add("row \(row.id).open", 1, row.birth) }
        return all
    }
}
