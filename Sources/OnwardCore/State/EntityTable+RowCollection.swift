// SPDX-License-Identifier: MIT

public import EntityTables

extension EntityTable: RowCollection {}
