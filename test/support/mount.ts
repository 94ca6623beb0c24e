import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

type Skip = (why: string) => never

/** Mounts something, gone after the test. */
export function mount(skip: Skip, ...args: readonly string[]): void {
  try {
    execFileSync('mount', args, { stdio: 'ignore' })
  } catch {
    skip('nothing may be mounted here')
  }
  // A program that is ended later may still have a file open there.
  onTestFinished(() => void execFileSync('umount', ['--lazy', ...args.slice(-1)]))
}

/** Makes a folder a file system of so many bytes. */
export function mountSmallDisk(skip: Skip, folder: string, size: number): void {
  mount(skip, '-t', 'tmpfs', '-o', `size=${size}`, 'pipe-test', folder)
}

/** Leaves no byte free on the disk of a folder. Gives what frees all that it took. */
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
