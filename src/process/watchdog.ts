import type { ChildProcess } from 'node:child_process'
import { systemPath } from './system-path.ts'
import { unref } from './unref.ts'

/**
 * It reads lists, each closed by `end`, and acts on the last one when no more comes. It outlives what ends pipe, a closed terminal
 * too; it has no way to tell anybody what goes wrong. What stands in for protected files goes when the sandboxes have died.
 */
const script = `
trap '' HUP INT TERM
set -f
nl='
'
while IFS= read -r line; do
  case $line in
    groups*) new_groups=\${line#groups} new_empty= new_trees= ;;
    'empty '*) new_empty=$new_empty$nl\${line#empty } ;;
    'tree '*) new_trees=$new_trees$nl\${line#tree } ;;
    end) groups=$new_groups empty=$new_empty trees=$new_trees ;;
  esac
done
send() { kill -s "$1" -- "-$2" 2>/dev/null; }
for group in $groups; do send TERM "$group"; done
for second in 1 2 3; do
  alive=
  for group in $groups; do send 0 "$group" && alive="$alive $group"; done
  groups=$alive
  [ -n "$groups" ] || break
  sleep 1
done
for group in $groups; do send KILL "$group"; done
[ -z "$empty" ] || sleep 1
IFS=$nl
for path in $empty; do
  [ -L "$path" ] && continue
  [ -d "$path" ] && rmdir "$path"
  [ -f "$path" ] && [ ! -s "$path" ] && rm -f "$path"
done
for path in $trees; do rm -rf "$path"; done
`

/**
 * Ends the process groups it was told of when this process ends without doing so itself, however that comes about: TERM, 3 s,
 * KILL; then removes what it was told to. A shell that waits at the end of a pipe, started with the first of these.
 */
export class Watchdog {
  readonly #groups = new Set<number>()
  readonly #trees = new Set<string>()
  #empty: readonly string[] = []
  #child: ChildProcess | undefined

  /** Whether it costs no more than to tell it. */
  get isAwake(): boolean {
    return this.#child !== undefined
  }

  watch(pgid: number): void {
    this.#groups.add(pgid)
    this.#child ??= this.#start()
    this.#tell()
  }

  forget(pgid: number): void {
    if (this.#groups.delete(pgid)) this.#tell()
  }

  /** Has a folder removed, with all that is in it. */
  removeTree(path: string): void {
    if (this.#trees.has(path)) return
    this.#trees.add(path)
    this.#child ??= this.#start()
    this.#tell()
  }

  /** Has exactly these removed, as far as they are then empty files or folders. */
  removeEmpty(paths: readonly string[]): void {
    this.#empty = paths
    if (paths.length > 0) this.#child ??= this.#start()
    this.#tell()
  }

  /** Lets it go; what it still watches is ended. */
  close(): void {
    this.#child?.stdin?.end()
    this.#child = undefined
  }

  #tell(): void {
    const lines = [
      ['groups', ...this.#groups].join(' '),
      ...this.#empty.map((path) => `empty ${path}`),
      ...[...this.#trees].map((path) => `tree ${path}`),
      'end',
    ]
    // A path of several lines would be taken for other paths.
    this.#child?.stdin?.write(
      lines
        .filter((line) => !line.includes('\n'))
        .join('\n')
        .concat('\n'),
    )
  }

  #start(): ChildProcess {
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      env: { PATH: systemPath },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const forget = () => {
      if (this.#child === child) this.#child = undefined
    }
    // Where it cannot be started, or is killed, the next thing to tell starts another.
    for (const source of [child, child.stdin]) source?.on('error', forget)
    child.once('exit', forget)
    child.unref()
    unref(child.stdin)
    return child
  }
}
