import type { ChildProcess } from 'node:child_process'
import { systemPath } from './system-path.ts'
import { unref } from './unref.ts'

/**
 * It reads lists, each closed by `end`, and acts on the last one when no more comes. It outlives what ends pipe, a closed terminal
 * too; it has no way to tell anybody what goes wrong. What stands in for protected files goes when the sandboxes have died, unless
 * another process has claimed it: before it looks for one it says, by a name with its own pid, that it is removing. To the groups
 * come those of their descendants, as in `endGroup`; the name of a process may hold line ends, its last line holds the fields.
 */
const script = `
trap '' HUP INT TERM
set -f
nl='
'
while IFS= read -r line; do
  case $line in
    groups*) new_groups=\${line#groups} new_empty= new_claims= new_trees= ;;
    'empty '*) new_empty=$new_empty$nl\${line#empty } ;;
    'claim '*) new_claims=$new_claims$nl\${line#claim } ;;
    'tree '*) new_trees=$new_trees$nl\${line#tree } ;;
    end) groups=$new_groups empty=$new_empty claims=$new_claims trees=$new_trees ;;
  esac
done
with_descendants() {
  set +f
  all=
  for stat in /proc/[0-9]*/stat; do
    line=
    while IFS= read -r part; do line=$part; done <"$stat"
    [ -n "$line" ] || continue
    pid=\${stat%/stat}
    set -- \${line##*) }
    all="$all \${pid#/proc/} $2 $3"
  done
  set -f
  known=
  while [ "$known" != "$groups" ]; do
    known=$groups members=
    set -- $all
    while [ $# -gt 0 ]; do
      case " $groups " in *" $3 "*) members="$members $1" ;; esac
      shift 3
    done
    set -- $all
    while [ $# -gt 0 ]; do
      case " $groups " in
        *" $3 "*) ;;
        *) case " $members " in *" $2 "*) groups="$groups $3" ;; esac ;;
      esac
      shift 3
    done
  done
}
[ -z "$groups" ] || with_descendants
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
taken=
for claim in $claims; do
  all=\${claim%/*}
  own=\${claim##*/} own=\${own#*-*-} own=\${own%-*}
  mv -- "$claim" "$all/leaving-$$--" || mkdir -p -- "$all/leaving-$$--"
  set +f
  for other in "$all"/[0-9]*; do
    # Where there is none, the pattern stands for itself.
    [ -e "$other" ] || continue
    other=\${other##*/}
    # Of a process in another container or machine nothing is known here.
    space=\${other#*-*-} space=\${space%-*}
    { [ "$space" != "$own" ] || [ -e "/proc/\${other%%-*}" ]; } && taken=$taken$nl\${all%/*}$nl
  done
  set -f
done
for path in $empty; do
  case $taken in *"$nl\${path%/*}$nl"*) continue ;; esac
  [ -L "$path" ] && continue
  [ -d "$path" ] && rmdir "$path"
  [ -f "$path" ] && [ ! -s "$path" ] && rm -f "$path"
done
for claim in $claims; do rmdir -- "\${claim%/*}/leaving-$$--" "\${claim%/*}"; done
for path in $trees; do rm -rf "$path" || { sleep 1; rm -rf "$path"; }; done
`

/**
 * Ends the process groups it was told of when this process ends without doing so itself, however that comes about: TERM, 3 s,
 * KILL; then removes what it was told to. A shell that waits at the end of a pipe, started with the first of these.
 */
export class Watchdog {
  readonly #groups = new Set<number>()
  readonly #trees = new Set<string>()
  #empty: readonly string[] = []
  #claims: readonly string[] = []
  #child: ChildProcess | undefined

  /** Whether it costs no more than to tell it. */
  get isAwake(): boolean {
    return this.#child !== undefined
  }

  /** Resolves once the watchdog knows the group, or if there can be no watchdog. */
  watch(pgid: number): Promise<void> {
    this.#groups.add(pgid)
    this.#child ??= this.#start()
    return this.#tell()
  }

  forget(pgid: number): void {
    if (this.#groups.delete(pgid)) void this.#tell()
  }

  /** Removes folders and their contents at the end. They need not exist yet. */
  removeTrees(paths: readonly string[]): void {
    if (this.#child !== undefined && paths.every((path) => this.#trees.has(path))) return
    for (const path of paths) this.#trees.add(path)
    this.#child ??= this.#start()
    void this.#tell()
  }

  /** Has exactly these removed, as far as they are then empty files or folders that nobody else has a claim to. */
  removeEmpty(paths: readonly string[], claims: readonly string[] = []): void {
    this.#empty = paths
    this.#claims = claims
    if (paths.length > 0) this.#child ??= this.#start()
    void this.#tell()
  }

  /** Lets it go; what it still watches is ended. */
  close(): void {
    this.#child?.stdin?.end()
    this.#child = undefined
  }

  #tell(): Promise<void> {
    const lines = [
      ['groups', ...this.#groups].join(' '),
      ...this.#empty.map((path) => `empty ${path}`),
      ...this.#claims.map((path) => `claim ${path}`),
      ...[...this.#trees].map((path) => `tree ${path}`),
      'end',
    ]
    // A path of several lines would be taken for other paths.
    const text = lines.filter((line) => !line.includes('\n')).join('\n')
    const stdin = this.#child?.stdin
    return new Promise((resolve) => {
      if (stdin == null) resolve()
      else stdin.write(`${text}\n`, () => resolve())
    })
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
