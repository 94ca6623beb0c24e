import type { ChildProcess } from 'node:child_process'
import { unref } from './unref.ts'

/**
 * Each line that it reads is the list of groups to end when there are no more lines. It outlives what ends pipe, a closed terminal
 * too; it has no way to tell anybody what goes wrong.
 */
const script = `
trap '' HUP INT TERM
while read -r line; do groups=$line; done
send() { kill -s "$1" -- "-$2" 2>/dev/null; }
for group in $groups; do send TERM "$group"; done
for second in 1 2 3; do
  alive=
  for group in $groups; do send 0 "$group" && alive="$alive $group"; done
  groups=$alive
  [ -n "$groups" ] || exit 0
  sleep 1
done
for group in $groups; do send KILL "$group"; done
`

/** The last is where NixOS has them. */
const path = '/usr/bin:/bin:/run/current-system/sw/bin'

/**
 * Ends the process groups it was told of when this process ends without doing so itself, however that comes about: TERM, 3 s,
 * KILL. A shell that waits at the end of a pipe, started with the first group.
 */
export class Watchdog {
  readonly #groups = new Set<number>()
  #child: ChildProcess | undefined

  watch(pgid: number): void {
    this.#groups.add(pgid)
    this.#child ??= this.#start()
    this.#tell()
  }

  forget(pgid: number): void {
    if (this.#groups.delete(pgid)) this.#tell()
  }

  /** Lets it go; what it still watches is ended. */
  close(): void {
    this.#child?.stdin?.end()
    this.#child = undefined
  }

  #tell(): void {
    this.#child?.stdin?.write(`${[...this.#groups].join(' ')}\n`)
  }

  #start(): ChildProcess {
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      env: { PATH: path },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const forget = () => {
      if (this.#child === child) this.#child = undefined
    }
    // Where it cannot be started, or is killed, the next group starts another.
    for (const source of [child, child.stdin]) source?.on('error', forget)
    child.once('exit', forget)
    child.unref()
    unref(child.stdin)
    return child
  }
}
