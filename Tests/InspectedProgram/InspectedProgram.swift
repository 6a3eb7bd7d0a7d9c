// SPDX-License-Identifier: MIT

import Foundation
import InspectedShop
import Onward
import OnwardInspection

/// A shop without a server that connects to the inspector at `ONWARD_INSPECTOR`, for Tests/CommandTests: each line of the
/// input is an action.
///
/// With `--stalls COUNT` it measures instead: see ``Stalls``.
///
/// It says how it stands with the inspector, and after each line what the cart's total is.
@main struct InspectedProgram {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--stalls", let count = Int(arguments[2]) {
            return await Stalls.measure(entries: count)
        }
        let shop = makeShop()
        let connection = InspectorConnection(app: "shop")
        connection.attach(shop, as: "shop")
        // Off the main thread, which waits for lines.
        let connected = Task.detached { await connection.run { say("\($0)") } }
        say("ready")
        var number = 0
        while let line = readLine() {
            number += 1
            switch line {
            case "clear": shop.dispatch(CartAction.clear)
            default: shop.dispatch(CartAction.add(id: number, name: line, price: 5))
            }
            say("total \(shop.state.cart.total)")
        }
        connected.cancel()
        await connected.value
    }

    private static func say(_ line: String) {
        // Unlike what is printed this is written at once, also into a pipe.
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
