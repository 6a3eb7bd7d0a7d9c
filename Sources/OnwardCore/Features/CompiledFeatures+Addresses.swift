// SPDX-License-Identifier: MIT

extension CompiledFeatures {
    /// An address whose rows are named by their ids, where it named them by texts.
    ///
    /// What a log may have by a description, and any row whose id has no coded form, is looked for
    /// in a state, which is asked for only then.
    /// Calls the coding and the descriptions of ids.
    func settled(_ address: Address, in state: () -> ValueCopy) -> Address {
        var copy: ValueCopy?
        var steps: [PathStep] = []
        var settled = Address.root
        for component in address.components {
            var component = component
            switch component {
            case .slice(let name): steps.append(.slice(name))
            case .alone: break
            case .row(let key):
                steps.append(.anyRow)
                guard key.isText, let rows = rows[steps] else { break }
                var typed: RowKey?
                if rows.isCoded, !key.isRecorded {
                    typed = rows.key(reading: key.text)
                } else {
                    let present = copy ?? state()
                    copy = present
                    typed = present.withPointer { rows.key(of: key, at: settled, in: $0) }
                }
                component = .row(typed ?? key.absent)
            }
            settled = settled.appending(component)
        }
        return settled
    }

    /// The first row on the way of an address that isn't found because several rows have its text.
    func sharedRow(on address: Address, in root: UnsafeRawPointer) -> RowKey? {
        var steps: [PathStep] = []
        var way = Address.root
        for component in address.components {
            switch component {
            case .slice(let name): steps.append(.slice(name))
            case .alone: break
            case .row(let key):
                steps.append(.anyRow)
                var isShared = false
                if let rows = rows[steps] {
                    rows.container.look(at: way, in: root) {
                        isShared = rows.isShared(key, in: $1)
                    }
                }
                if isShared { return key }
            }
            way = way.appending(component)
        }
        return nil
    }
}

extension RowLookup {
    /// The key of the row that a key names in the collection at an address.
    fileprivate func key(
        of key: RowKey, at address: Address, in root: UnsafeRawPointer
    ) -> RowKey? {
        var found: RowKey?
        container.look(at: address, in: root) { found = found ?? self.key(of: key, in: $1) }
        return found
    }
}
