import { existsSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../json-value.ts'
import type { Shadow } from '../shadow.ts'
import type { TreeChange } from './tree-diff.ts'

/** File permissions by path. Git knows only the executable bit; this holds files narrower than the umask allows, setuid and setgid files. */
export type FileModes = ReadonlyMap<string, number>

/** The modes of files in the index. Costs nothing extra: git reports a path whose mode changed, unless it saved it in the same second. */
export class ModeNotes {
  readonly #path: string
  readonly #modes: Map<string, number>
  #isChanged = false

  constructor({ path }: Shadow) {
    this.#path = join(path, 'modes')
    this.#modes = readModes(this.#path)
  }

  get modes(): FileModes {
    return this.#modes
  }

  /** Records what is at a path now. */
  note(path: string, stats: Stats | undefined): void {
    const mode = stats?.isFile() === true ? modeOf(stats) : undefined
    const isSpecial = mode !== undefined && (mode > 0o777 || (usual(mode) & ~mode) !== 0)
    if (this.#modes.get(path) === (isSpecial ? mode : undefined)) return
    this.#isChanged = true
    if (isSpecial) this.#modes.set(path, mode)
    else this.#modes.delete(path)
  }

  save(): void {
    if (this.#isChanged) writeFileSync(this.#path, JSON.stringify([...this.#modes]), { mode: 0o600 })
    this.#isChanged = false
  }
}

/** A restored file belongs to us: drops setuid and setgid if the original belonged to another user or group. */
function modeOf({ mode, uid, gid }: Stats): number {
  const foreign = (uid === process.geteuid?.() ? 0 : 0o4000) | (gid === process.getegid?.() ? 0 : 0o2000)
  return mode & 0o7777 & ~foreign
}

/** The mode that the umask leaves a file with this executable bit. */
export function usual(mode: number): number {
  return ((mode & 0o100) === 0 ? 0o666 : 0o777) & ~process.umask()
}

/** Whether no file differs in its mode. */
export function haveSameModes(a: FileModes, b: FileModes): boolean {
  return a.size === b.size && [...a].every(([path, mode]) => b.get(path) === mode)
}

/** The modes before, with those of changed files replaced by the wanted ones. */
export function withChanged(
  before: FileModes,
  wanted: FileModes,
  changes: readonly Pick<TreeChange, 'path'>[],
): FileModes {
  const changed = new Set(changes.map(({ path }) => path))
  return new Map([
    ...[...before].filter(([path]) => !changed.has(path)),
    ...[...wanted].filter(([path]) => changed.has(path)),
  ])
}

function readModes(path: string): Map<string, number> {
  const list = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined
  const modes = new Map<string, number>()
  for (const entry of Array.isArray(list) ? list : []) {
    const [name, mode] = Array.isArray(entry) ? entry : []
    if (typeof name === 'string' && typeof mode === 'number') modes.set(name, mode)
  }
  return modes
}
