// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import SwiftUI

/// The choice of the next game's music.
struct CategoriesView: View {
    let categories: FeatureStore<Categories, CategoriesAction>

    var body: some View {
        List {
            ForEach(MemoryTunesCore.Category.allCases, id: \.self) { category in
                Row(
                    name: category.rawValue, isCurrent: category == categories[\.current]
                ) {
                    categories.send(.choose(category: category))
                }
            }
        }
        .navigationTitle("Music")
    }

    private struct Row: View {
        let name: String
        let isCurrent: Bool
        let choose: () -> Void

        var body: some View {
            Button(action: choose) {
                HStack {
                    Text(name)
                    Spacer()
                    Image(systemName: "checkmark")
                        .foregroundStyle(.tint)
                        .opacity(isCurrent ? 1 : 0)
                }
                .contentShape(.rect)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(name)
            .accessibilityAddTraits(isCurrent ? .isSelected : [])
        }
    }
}
