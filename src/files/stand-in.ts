import type { Stats } from 'node:fs'

/**
 * The mode bit of what a sandbox puts where nothing is while commands run, to be mounted over there, so that everybody knows it as
 * such: it is neither made nor removed by them. Nothing else of these kinds has it.
 */
export const standInBit = 0o1000

/** Whether it is a folder or an empty file with this mark. The folder need not be empty: that of the claims on stand-ins is not. */
export function isMarked(found: Stats): boolean {
  return (found.mode & standInBit) !== 0 && (found.isDirectory() || (found.isFile() && found.size === 0))
}
