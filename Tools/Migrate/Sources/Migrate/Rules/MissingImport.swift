// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let missingImport = Rule(
        name: "missing-import", certainty: .differs,
        what: "a file uses a module of the system that it does not import",
        why: """
            The original, as CocoaPods, Carthage and Xcode build it, brings Foundation and UIKit along; no \
            module of Onward makes a file see another.
            """,
        write: "Import the module that has the name.",
        example: """
            import Foundation
            import ReSwift

            struct Load: Action { let url: URL }
            """
    ) { file, codeBase in
        // What any other module, or a header, brings along is not known.
        guard !codeBase.seesHeader(file), let first = file.outline.imports.first,
            file.importsCompatibleModule,
            file.imports.subtracting(["Dispatch", "Foundation"]).isSubset(of: Module.compatible)
        else { return [] }
        let names =
            file.outline.typeNames.map { Name($0.name) }
            + file.outline.references.filter { !$0.isMember }.map { Name($0.baseName) }
        let uses = names.compactMap(\.self)
            .filter { !file.outline.typeParameters.contains($0.text) }
            .filter { !codeBase.declaresAnywhere($0.text) }
            .filter { !file.imports.contains($0.module) }
            .filter { !$0.text.hasPrefix("Dispatch") || !file.imports.contains("Dispatch") }
            .sorted { $0.token.position < $1.token.position }
        // UIKit brings Foundation along.
        guard let use = uses.first(where: { $0.module == "UIKit" }) ?? uses.first else { return [] }
        let start = first.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = file.text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        // One behind a condition is not there for the whole file.
        let edits = first.isOfFile ? [Edit(start..<start, "import \(use.module)\(end)")] : []
        return [Place(use.token, "\(use.text) of \(use.module)", edits: edits)]
    }
}

/// A name that Foundation or UIKit has, and hardly an app.
private struct Name {
    let token: TokenSyntax
    let module: String
    var text: String { token.text }

    init?(_ token: TokenSyntax) {
        let text = token.text
        if Self.ofFoundation.contains(text) {
            module = "Foundation"
        } else if Self.ofUIKit.contains(text) {
            module = "UIKit"
        } else {
            return nil
        }
        self.token = token
    }

    private static let ofFoundation: Set = [
        "Bundle", "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateFormatter",
        "Decimal", "DispatchGroup", "DispatchQueue", "DispatchSemaphore", "DispatchTime",
        "DispatchTimeInterval", "DispatchWorkItem", "FileManager", "HTTPURLResponse", "IndexPath",
        "IndexSet", "JSONDecoder", "JSONEncoder", "JSONSerialization", "Locale", "LocalizedError",
        "NSArray", "NSAttributedString", "NSCoder", "NSCoding", "NSDate", "NSDictionary", "NSError",
        "NSKeyedArchiver", "NSKeyedUnarchiver", "NSLocalizedString", "NSLock", "NSLog", "NSNumber",
        "NSObject", "NSPredicate", "NSRange", "NSRecursiveLock", "NSRegularExpression", "NSString",
        "NotificationCenter", "NumberFormatter", "OperationQueue", "ProcessInfo",
        "PropertyListDecoder", "PropertyListEncoder", "RunLoop", "TimeInterval", "TimeZone",
        "Timer",
        "URL", "URLComponents", "URLError", "URLQueryItem", "URLRequest", "URLResponse",
        "URLSession", "URLSessionDataTask", "UUID", "UndoManager", "UserDefaults",
    ]

    // Apps have a UIState, a UIAction and a UIReducer of their own: not all that begins so.
    private static let ofUIKit: Set = [
        "UIActivityIndicatorView", "UIAlertAction", "UIAlertController", "UIApplication",
        "UIApplicationDelegate", "UIApplicationMain", "UIBarButtonItem", "UIBezierPath", "UIButton",
        "UICollectionView", "UICollectionViewCell", "UICollectionViewController", "UIColor",
        "UIControl", "UIDevice", "UIEdgeInsets", "UIFont", "UIGestureRecognizer", "UIImage",
        "UIImageView", "UILabel", "UINavigationController", "UINib", "UIPasteboard", "UIResponder",
        "UIScreen", "UIScrollView", "UISearchController", "UISlider", "UIStackView", "UIStoryboard",
        "UIStoryboardSegue", "UISwitch", "UITabBarController", "UITableView", "UITableViewCell",
        "UITableViewController", "UITextField", "UITextView", "UIView", "UIViewController",
        "UIWindow",
    ]
}

extension DeclReferenceExprSyntax {
    /// Whether it stands behind a point.
    fileprivate var isMember: Bool {
        parent?.as(MemberAccessExprSyntax.self)?.declName.id == id
    }
}
