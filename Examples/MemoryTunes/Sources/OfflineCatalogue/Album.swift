// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// An album that exists only here.
struct Album: Hashable, Sendable {
    let category: Category
    /// Its place within the category, counted from 0.
    let number: Int
    let title: String
    let artist: String

    /// Where its cover is served.
    var path: String { "/covers/\(category.rawValue.lowercased())/\(number).png" }

    /// All albums of a category; each has a drawing of its own.
    static func all(of category: Category) -> [Album] {
        let names: [(title: String, artist: String)] =
            switch category {
            case .pop:
                [
                    ("Lemonade Weather", "Ada Lune"), ("Balcony Hearts", "The Postcards"),
                    ("Soft Parade Home", "Mina Vale"), ("Sugar Satellite", "Kite Season"),
                    ("Tuesday Forever", "Polly Arcade"), ("Pink Umbrella", "Sunday Drivers"),
                    ("Glitter & Gravel", "Nova June"), ("Call Me Comet", "The Marzipans"),
                    ("Two Left Shoes", "Benny Bright"), ("Summer in Stereo", "Coral Kids"),
                ]
            case .electronic:
                [
                    ("Night Bus 9", "Voltaire FM"), ("Copper Circuits", "Ohm Sweet Ohm"),
                    ("Phase Garden", "Lux Operator"), ("Static Bloom", "Kilo Hertz"),
                    ("Slow Laser", "Neon Librarian"), ("Modular Weather", "Patch & Panel"),
                    ("The Quiet Modem", "Dialtone"), ("Low Orbit Disco", "Apogee"),
                    ("Blue Noise", "Sine Language"), ("Afterglow Engine", "Midnight Relay"),
                ]
            case .rock:
                [
                    ("Gasoline Lullaby", "The Crooked Mile"), ("Brick by Brick", "Harbour Street"),
                    ("Thunder Allotment", "Red Kettle"), ("No Map, No Matter", "Wayward Sons"),
                    ("Rust Never Waits", "Iron Orchard"), ("Highway Chapel", "The Last Garage"),
                    ("Feedback Summer", "Loud Neighbours"), ("Broken Compass", "Mara & the Maps"),
                    ("Riverbed", "Old Lanterns"), ("Amplified Dust", "Desert Choir"),
                ]
            case .metal:
                [
                    ("Anvil Cathedral", "Grimhold"), ("Winter's Furnace", "Ashen Crown"),
                    ("Obsidian Tide", "Leviathan Row"), ("Throne of Static", "Ferrum"),
                    ("Beneath the Basalt", "Molten Choir"), ("Ravenclock", "Hollow Bell"),
                    ("The Ninth Bell Tolls", "Catacomb Club"), ("Steel Psalms", "Warden"),
                    ("Black Meridian", "Eclipse Foundry"), ("Storm Ossuary", "Gravelord"),
                ]
            case .rap:
                [
                    ("Corner Store Sonnets", "Lil Almanac"), ("Concrete Alphabet", "Verse Nine"),
                    ("Gold Tooth Grammar", "MC Marginalia"), ("Rooftop Economics", "Big Ledger"),
                    ("Subway Scripture", "Ty Metro"), ("Basement Royalty", "Queen Cadence"),
                    ("Ink & Echo", "Double Entendre"), ("Streetlight Math", "Prime Suspect"),
                    ("Loose Change", "Penny Wise"), ("City in B Minor", "Tempo Jones"),
                ]
            }
        return names.enumerated().map {
            Album(
                category: category, number: $0.offset, title: $0.element.title,
                artist: $0.element.artist)
        }
    }
}
