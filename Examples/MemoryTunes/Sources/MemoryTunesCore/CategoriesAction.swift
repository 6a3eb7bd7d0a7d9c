// SPDX-License-Identifier: MIT

public import Onward

/// What can happen on the screen of categories.
public enum CategoriesAction: Action, Codable, Equatable {
    /// The player tapped a category.
    case choose(category: Category)
}
