import type { Stats } from 'node:fs'

/**
 * Mode bit of the placeholders that a sandbox creates to mount over missing paths. Every process recognises them by it and treats the
 * paths as missing. No other empty file or folder has it.
 */
export const placeholderBit = 0o1000

/** Whether it is an empty file or a folder with this mark. The folder may hold claims on placeholders. */
export function isMarked(found: Stats): boolean {
  return (found.mode & placeholderBit) !== 0 && (found.isDirectory() || (found.isFile() && found.size === 0))
}
