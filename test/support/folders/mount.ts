import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

type Skip = (why: string) => never

/** Mounts a file system and unmounts it after the test. */
export function mount(skip: Skip, ...args: readonly string[]): void {
  try {
    execFileSync('mount', args, { stdio: 'ignore' })
  } catch {
    skip('nothing may be mounted here')
  }
  // Lazy, because a program that ends later may still have a file open there.
  onTestFinished(() => void execFileSync('umount', ['--lazy', ...args.slice(-1)]))
}

/** Mounts a file system of this size on a folder. */
export function mountSmallDisk(skip: Skip, folder: string, size: number): void {
  mount(skip, '-t', 'tmpfs', '-o', `size=${size}`, 'pipe-test', folder)
}

/** Fills the disk of a folder. Returns a function that frees the space. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, 'filler')
  const descriptor = openSync(path, 'w')
  try {
    for (const bytes = Buffer.alloc(4096); ; ) writeSync(descriptor, bytes)
  } catch {
    return () => rmSync(path)
  } finally {
    closeSync(descriptor)
  }
}
