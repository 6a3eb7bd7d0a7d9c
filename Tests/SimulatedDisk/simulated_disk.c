// SPDX-License-Identifier: MIT

#include "simulated_disk.h"

#ifdef SIMULATES_DISK

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512
#define MOST_DISKS 64
#define MOST_FILES 8
#define MOST_PLANS 16
#define MOST_REGIONS 64
static const char *const prefix = "/onward-simulated/";

/// The contents of a file.
typedef struct {
    unsigned char *bytes;
    int64_t size, room;
} contents;

/// A write that was not synced; one without bytes is a truncation.
typedef struct pending {
    struct pending *next;
    int64_t offset;
    int amount;
    unsigned char bytes[];
} pending;

typedef struct {
    char name[256];
    /// Its name is there at all, and it would be after the power fails.
    bool exists, isNameSynced;
    /// What programs see, and what is on the medium.
    contents now, synced;
    pending *first, *last;
    /// The shared memory of SQLite's log.
    void *regions[MOST_REGIONS];
    /// That of the life before, which a connection may still look at that is being closed.
    void *oldRegions[MOST_REGIONS];
    int shared[SQLITE_SHM_NLOCK];
    bool exclusive[SQLITE_SHM_NLOCK];
} file;

typedef struct {
    bool isMade, hasStopped, hasFailed;
    uint64_t random, calls;
    struct {
        simulated_fault fault;
        uint64_t call;
    } plans[MOST_PLANS];
    int planCount;
    /// Raised by a restart, so that handles from before it do nothing.
    int life;
    file files[MOST_FILES];
} disk;

typedef struct {
    sqlite3_file base;
    disk *disk;
    file *file;
    int life;
    int lock;
    bool createsName;
} handle;

static disk disks[MOST_DISKS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *original;

// MARK: Random numbers

static uint64_t draw(disk *disk) {
    uint64_t value = disk->random += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

// MARK: Contents

static void resize(contents *contents, int64_t size) {
    if (size > contents->room) {
        int64_t room = size * 2 + 4096;
        contents->bytes = realloc(contents->bytes, (size_t)room);
        contents->room = room;
    }
    if (size > contents->size)
        memset(contents->bytes + contents->size, 0, (size_t)(size - contents->size));
    contents->size = size;
}

static void put(contents *contents, const void *bytes, int amount, int64_t offset) {
    if (offset + amount > contents->size) resize(contents, offset + amount);
    memcpy(contents->bytes + offset, bytes, (size_t)amount);
}

static void copy(contents *to, const contents *from) {
    resize(to, 0);
    resize(to, from->size);
    if (from->size > 0) memcpy(to->bytes, from->bytes, (size_t)from->size);
}

static void forget_pending(file *file) {
    while (file->first) {
        pending *next = file->first->next;
        free(file->first);
        file->first = next;
    }
    file->last = NULL;
}

static void add_pending(file *file, const void *bytes, int amount, int64_t offset) {
    pending *write = malloc(sizeof(pending) + (size_t)amount);
    write->next = NULL;
    write->offset = offset;
    write->amount = amount;
    if (amount > 0) memcpy(write->bytes, bytes, (size_t)amount);
    if (file->last) file->last->next = write;
    else file->first = write;
    file->last = write;
}

static void clear(file *file) {
    forget_pending(file);
    free(file->now.bytes);
    free(file->synced.bytes);
    for (int index = 0; index < MOST_REGIONS; index++) {
        free(file->regions[index]);
        free(file->oldRegions[index]);
    }
    memset(file, 0, sizeof *file);
}

/// What the medium has after the power failed: each sector of each write got there, or not.
static void lose_power(disk *disk, file *file) {
    if (file->exists && !file->isNameSynced && draw(disk) % 2) {
        clear(file);
        return;
    }
    int chance = (int)(draw(disk) % 101);
    for (pending *write = file->first; write; write = write->next) {
        if (write->amount == 0) {
            if ((int)(draw(disk) % 100) < chance) resize(&file->synced, write->offset);
            continue;
        }
        int64_t end = write->offset + write->amount, start = write->offset;
        while (start < end) {
            int64_t next = (start / SECTOR + 1) * SECTOR;
            if (next > end) next = end;
            if ((int)(draw(disk) % 100) < chance)
                put(&file->synced, write->bytes + (start - write->offset), (int)(next - start), start);
            start = next;
        }
    }
    forget_pending(file);
    file->isNameSynced = file->exists;
    copy(&file->now, &file->synced);
}

// MARK: Calls

typedef enum { CALL_READS, CALL_WRITES, CALL_OTHER } call;

/// Counts a call; 0, or what happens at it.
static int happens(disk *disk, call call) {
    if (disk->hasStopped) return SIMULATED_STOP;
    disk->calls++;
    for (int index = 0; index < disk->planCount; index++) {
        if (disk->plans[index].call != disk->calls) continue;
        simulated_fault fault = disk->plans[index].fault;
        bool isWrong = (fault == SIMULATED_ENOSPC && call != CALL_WRITES)
            || ((fault == SIMULATED_SHORT_READ || fault == SIMULATED_FLIPPED_READ)
                && call != CALL_READS);
        if (isWrong) {
            disk->plans[index].call++; // The next one of its kind.
            continue;
        }
        disk->hasFailed = true;
        if (fault == SIMULATED_STOP) disk->hasStopped = true;
        return fault;
    }
    return 0;
}

#define BEGIN(opened)                                                                               \
    handle *self = (handle *)(opened);                                                              \
    pthread_mutex_lock(&mutex);                                                                     \
    if (self->life != self->disk->life) return finish(SQLITE_IOERR)

static int finish(int result) {
    pthread_mutex_unlock(&mutex);
    return result;
}

static int disk_close(sqlite3_file *opened) {
    (void)opened;
    return SQLITE_OK;
}

static int disk_read(sqlite3_file *opened, void *buffer, int amount, sqlite3_int64 offset) {
    BEGIN(opened);
    int fault = happens(self->disk, CALL_READS);
    if (fault == SIMULATED_STOP || fault == SIMULATED_EIO) return finish(SQLITE_IOERR_READ);
    contents *now = &self->file->now;
    int64_t there = offset < now->size ? now->size - offset : 0;
    if (there > amount) there = amount;
    if (fault == SIMULATED_SHORT_READ) there /= 2;
    if (there > 0) memcpy(buffer, now->bytes + offset, (size_t)there);
    memset((char *)buffer + there, 0, (size_t)(amount - there));
    if (fault == SIMULATED_FLIPPED_READ && there > 0)
        ((unsigned char *)buffer)[draw(self->disk) % (uint64_t)there] ^= 1 << draw(self->disk) % 8;
    return finish(there < amount ? SQLITE_IOERR_SHORT_READ : SQLITE_OK);
}

static int disk_write(sqlite3_file *opened, const void *bytes, int amount, sqlite3_int64 offset) {
    BEGIN(opened);
    int fault = happens(self->disk, CALL_WRITES);
    if (fault == SIMULATED_ENOSPC || fault == SIMULATED_EIO) {
        // A part of it may have got there.
        int part = (int)(draw(self->disk) % (uint64_t)(amount + 1));
        if (part > 0) {
            put(&self->file->now, bytes, part, offset);
            add_pending(self->file, bytes, part, offset);
        }
        return finish(fault == SIMULATED_ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE);
    }
    if (fault == SIMULATED_STOP) return finish(SQLITE_IOERR_WRITE);
    put(&self->file->now, bytes, amount, offset);
    if (amount > 0) add_pending(self->file, bytes, amount, offset);
    return finish(SQLITE_OK);
}

static int disk_truncate(sqlite3_file *opened, sqlite3_int64 size) {
    BEGIN(opened);
    if (happens(self->disk, CALL_OTHER)) return finish(SQLITE_IOERR_TRUNCATE);
    resize(&self->file->now, size);
    add_pending(self->file, NULL, 0, size);
    return finish(SQLITE_OK);
}

static int disk_sync(sqlite3_file *opened, int flags) {
    (void)flags;
    BEGIN(opened);
    if (happens(self->disk, CALL_OTHER)) return finish(SQLITE_IOERR_FSYNC);
    copy(&self->file->synced, &self->file->now);
    forget_pending(self->file);
    // SQLite's own VFS syncs the folder with the first sync of a log that it has made.
    if (self->createsName)
        for (int index = 0; index < MOST_FILES; index++)
            self->disk->files[index].isNameSynced = self->disk->files[index].exists;
    return finish(SQLITE_OK);
}

static int disk_size(sqlite3_file *opened, sqlite3_int64 *size) {
    BEGIN(opened);
    if (happens(self->disk, CALL_OTHER)) return finish(SQLITE_IOERR_FSTAT);
    *size = self->file->now.size;
    return finish(SQLITE_OK);
}

// There is one connection at a time: a test's journal, then the one that looks at what is left.
static int disk_lock(sqlite3_file *opened, int level) {
    ((handle *)opened)->lock = level;
    return SQLITE_OK;
}

static int disk_is_reserved(sqlite3_file *opened, int *result) {
    *result = ((handle *)opened)->lock >= SQLITE_LOCK_RESERVED;
    return SQLITE_OK;
}

static int disk_control(sqlite3_file *opened, int operation, void *argument) {
    (void)opened, (void)operation, (void)argument;
    return SQLITE_NOTFOUND;
}

static int disk_sector_size(sqlite3_file *opened) {
    (void)opened;
    return SECTOR;
}

static int disk_characteristics(sqlite3_file *opened) {
    (void)opened;
    return 0;
}

static int disk_map(
    sqlite3_file *opened, int region, int size, int extends, void volatile **memory) {
    BEGIN(opened);
    *memory = NULL;
    if (region >= MOST_REGIONS) return finish(SQLITE_IOERR_SHMSIZE);
    if (happens(self->disk, CALL_OTHER)) return finish(SQLITE_IOERR_SHMMAP);
    void **place = &self->file->regions[region];
    if (!*place && extends) *place = calloc(1, (size_t)size);
    *memory = *place;
    return finish(SQLITE_OK);
}

static int disk_lock_map(sqlite3_file *opened, int offset, int count, int flags) {
    (void)opened, (void)offset, (void)count, (void)flags;
    return SQLITE_OK;
}

static void disk_barrier(sqlite3_file *opened) { (void)opened; }

static int disk_unmap(sqlite3_file *opened, int deletes) {
    BEGIN(opened);
    if (deletes) {
        for (int index = 0; index < MOST_REGIONS; index++) {
            free(self->file->regions[index]);
            self->file->regions[index] = NULL;
        }
    }
    return finish(SQLITE_OK);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_lock,
    .xCheckReservedLock = disk_is_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector_size,
    .xDeviceCharacteristics = disk_characteristics,
    .xShmMap = disk_map,
    .xShmLock = disk_lock_map,
    .xShmBarrier = disk_barrier,
    .xShmUnmap = disk_unmap,
};

// MARK: Names

static disk *find_disk(const char *name) {
    const char *place = name ? strstr(name, prefix) : NULL;
    if (!place) return NULL;
    int number = atoi(place + strlen(prefix));
    return number >= 0 && number < MOST_DISKS && disks[number].isMade ? &disks[number] : NULL;
}

static file *find_file(disk *disk, const char *name) {
    for (int index = 0; index < MOST_FILES; index++)
        if (disk->files[index].exists && strcmp(disk->files[index].name, name) == 0)
            return &disk->files[index];
    return NULL;
}

static file *make_file(disk *disk, const char *name) {
    for (int index = 0; index < MOST_FILES; index++) {
        file *file = &disk->files[index];
        if (file->exists) continue;
        clear(file);
        snprintf(file->name, sizeof file->name, "%s", name);
        file->exists = true;
        return file;
    }
    return NULL;
}

static int vfs_open(
    sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *opened, int flags, int *outFlags) {
    (void)vfs;
    disk *disk = find_disk(name);
    if (!disk) return original->xOpen(original, name, opened, flags, outFlags);
    handle *self = (handle *)opened;
    memset(self, 0, sizeof *self);
    pthread_mutex_lock(&mutex);
    if (happens(disk, CALL_OTHER)) return finish(SQLITE_CANTOPEN);
    file *file = find_file(disk, name);
    bool isNew = !file;
    if (isNew && !(flags & SQLITE_OPEN_CREATE)) return finish(SQLITE_CANTOPEN);
    if (isNew) file = make_file(disk, name);
    if (!file) return finish(SQLITE_CANTOPEN);
    self->disk = disk;
    self->file = file;
    self->life = disk->life;
    self->createsName =
        isNew && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL));
    self->base.pMethods = &methods;
    if (outFlags) *outFlags = flags;
    return finish(SQLITE_OK);
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    (void)vfs, (void)syncs;
    disk *disk = find_disk(name);
    if (!disk) return original->xDelete(original, name, syncs);
    pthread_mutex_lock(&mutex);
    if (happens(disk, CALL_OTHER)) return finish(SQLITE_IOERR_DELETE);
    file *file = find_file(disk, name);
    if (!file) return finish(SQLITE_IOERR_DELETE_NOENT);
    clear(file);
    return finish(SQLITE_OK);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    (void)vfs;
    disk *disk = find_disk(name);
    if (!disk) return original->xAccess(original, name, flags, result);
    pthread_mutex_lock(&mutex);
    if (happens(disk, CALL_OTHER)) return finish(SQLITE_IOERR_ACCESS);
    file *file = find_file(disk, name);
    *result = file && (flags != SQLITE_ACCESS_EXISTS || file->now.size > 0);
    return finish(SQLITE_OK);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int room, char *path) {
    (void)vfs;
    if (!find_disk(name)) return original->xFullPathname(original, name, room, path);
    snprintf(path, (size_t)room, "%s", name);
    return SQLITE_OK;
}

// MARK: Control

bool simulated_disk_make(int number, uint64_t seed) {
    static sqlite3_vfs vfs;
    pthread_mutex_lock(&mutex);
    if (!original) {
        original = sqlite3_vfs_find(NULL);
        vfs = *original;
        vfs.zName = "simulated";
        if (vfs.szOsFile < (int)sizeof(handle)) vfs.szOsFile = (int)sizeof(handle);
        vfs.xOpen = vfs_open;
        vfs.xDelete = vfs_delete;
        vfs.xAccess = vfs_access;
        vfs.xFullPathname = vfs_full_path;
        sqlite3_vfs_register(&vfs, 1);
    }
    if (number < 0 || number >= MOST_DISKS) return finish(false);
    int life = disks[number].life + 1;
    for (int index = 0; index < MOST_FILES; index++) clear(&disks[number].files[index]);
    memset(&disks[number], 0, sizeof disks[number]);
    disks[number].isMade = true;
    disks[number].life = life;
    disks[number].random = seed;
    return finish(true);
}

void simulated_disk_free(int number) {
    pthread_mutex_lock(&mutex);
    for (int index = 0; index < MOST_FILES; index++) clear(&disks[number].files[index]);
    disks[number].isMade = false;
    disks[number].life++;
    finish(0);
}

void simulated_disk_plan(int number, simulated_fault fault, uint64_t call) {
    pthread_mutex_lock(&mutex);
    disk *disk = &disks[number];
    if (disk->planCount < MOST_PLANS) {
        disk->plans[disk->planCount].fault = fault;
        disk->plans[disk->planCount].call = disk->calls + call;
        disk->planCount++;
    }
    finish(0);
}

void simulated_disk_stop(int number) {
    pthread_mutex_lock(&mutex);
    disks[number].hasStopped = true;
    finish(0);
}

uint64_t simulated_disk_calls(int number) { return disks[number].calls; }
bool simulated_disk_has_stopped(int number) { return disks[number].hasStopped; }
bool simulated_disk_has_failed(int number) { return disks[number].hasFailed; }

void simulated_disk_restart(int number, bool losesPower) {
    pthread_mutex_lock(&mutex);
    disk *disk = &disks[number];
    for (int index = 0; index < MOST_FILES; index++) {
        file *file = &disk->files[index];
        for (int region = 0; region < MOST_REGIONS; region++) {
            free(file->oldRegions[region]);
            file->oldRegions[region] = file->regions[region];
            file->regions[region] = NULL;
        }
        if (losesPower) lose_power(disk, file);
    }
    disk->hasStopped = false;
    disk->hasFailed = false;
    disk->planCount = 0;
    disk->life++;
    finish(0);
}

static file *find_suffix(int number, const char *suffix) {
    for (int index = 0; index < MOST_FILES; index++) {
        file *file = &disks[number].files[index];
        size_t length = strlen(file->name), end = strlen(suffix);
        if (file->exists && length >= end && strcmp(file->name + length - end, suffix) == 0)
            return file;
    }
    return NULL;
}

bool simulated_disk_flip(int number, const char *suffix) {
    pthread_mutex_lock(&mutex);
    file *file = find_suffix(number, suffix);
    if (!file || file->now.size == 0) return finish(false);
    int64_t place = (int64_t)(draw(&disks[number]) % (uint64_t)file->now.size);
    // Half of them in the head of a page, which says how much is in it and where: rare, and worse than others.
    if (draw(&disks[number]) % 2) place = place / 4096 * 4096 + (int64_t)(draw(&disks[number]) % 8);
    file->now.bytes[place] ^= 1 << draw(&disks[number]) % 8;
    copy(&file->synced, &file->now);
    return finish(true);
}

int64_t simulated_disk_size(int number, const char *suffix) {
    pthread_mutex_lock(&mutex);
    file *file = find_suffix(number, suffix);
    int64_t size = file ? file->now.size : -1;
    finish(0);
    return size;
}

#endif
