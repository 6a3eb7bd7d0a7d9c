// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Disks in memory, for SQLite: an SQLite VFS that becomes the default of the process. What happens on a
/// disk follows from its seed. Files in a folder "onward-simulated/NUMBER" are on the disk of that number; all
/// others are where they always are.

/// What a disk does at a call.
typedef enum {
    /// The world ends: this call and all later ones fail and change nothing.
    SIMULATED_STOP = 1,
    /// The call fails with an input or output error.
    SIMULATED_EIO = 2,
    /// A call that writes fails, as there is no room.
    SIMULATED_ENOSPC = 3,
    /// A call that reads returns half of what it was asked for.
    SIMULATED_SHORT_READ = 4,
    /// A bit of what a call reads is wrong, this one time.
    SIMULATED_FLIPPED_READ = 5,
} simulated_fault;

/// Makes a disk; false where SQLite is missing. Registers the VFS at the first call.
bool simulated_disk_make(int number, uint64_t seed);
void simulated_disk_free(int number);

/// Has something happen at a call, counted from now on; several may be planned.
void simulated_disk_plan(int number, simulated_fault fault, uint64_t call);

/// Ends the world now.
void simulated_disk_stop(int number);

/// How many calls there were.
uint64_t simulated_disk_calls(int number);
/// Whether the world has ended.
bool simulated_disk_has_stopped(int number);
/// Whether something planned has happened.
bool simulated_disk_has_failed(int number);

/// Begins anew, once everything on the disk is closed: as after the end of the process, or of the power: then writes that were not synced are lost
/// or not, each sector by itself and in any order, and so are the names of new files.
void simulated_disk_restart(int number, bool losesPower);

/// Flips a bit of what is stored in a file whose name ends in a text; false where there is none.
bool simulated_disk_flip(int number, const char *suffix);
/// The size of the file whose name ends in a text; -1 where there is none.
int64_t simulated_disk_size(int number, const char *suffix);
