import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Room for the databases of a whole run. */
const ENOUGH = 2 * 2 ** 30

/**
 * Where tests put databases: in memory, if the machine has a file system there with enough room, because copying a
 * database's thousand small files on a disk costs more than most of the tests that use it.
 */
export const scratch = fits('/dev/shm') ? '/dev/shm' : tmpdir()

function fits(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}
