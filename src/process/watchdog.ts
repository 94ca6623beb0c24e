import type { ChildProcess } from 'node:child_process'
import { systemPath } from './system-path.ts'
import { unref } from './unref.ts'

/**
 * Reads a list of groups, a list of paths, or both, closed by `end`, and acts on the last ones once its input ends. Ends the groups and
 * their descendants', like `endGroup`, then removes unclaimed placeholders for protected files, then trees. Cannot report failures.
 */
const script = `
trap '' HUP INT TERM
set -f
nl='
'
while IFS= read -r line; do
  case $line in
    groups*) new_groups=\${line#groups} ;;
    paths) new_empty= new_claims= new_trees= ;;
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
    # A process name may contain line breaks: only the last line has the fields.
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
# The sandboxes need a moment to die.
[ -z "$empty" ] || sleep 1
IFS=$nl
taken=
for claim in $claims; do
  all=\${claim%/*}
  own=\${claim##*/} own=\${own#*-*-} own=\${own%-*}
  # Announces the removal to other processes.
  mv -- "$claim" "$all/leaving-$$--" || mkdir -p -- "$all/leaving-$$--"
  set +f
  for other in "$all"/[0-9]*; do
    # Without a match the pattern stands for itself.
    [ -e "$other" ] || continue
    other=\${other##*/}
    # The process table says nothing about another container or machine.
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
for path in $trees; do
  # A program that began just before the end may still write there.
  for second in 1 2 3; do
    [ -e "$path" ] || break
    rm -rf "$path"
    sleep 1
  done
done
`

/** The lists that it is told: the groups to end, or the files and folders to remove. */
type List = 'groups' | 'paths'

/**
 * Ends the given process groups if this process dies without doing so: TERM, then KILL after 3 s. Then removes the given files and
 * folders. Runs as a shell that waits at the end of a pipe, started on first use.
 */
export class Watchdog {
  readonly #groups = new Set<number>()
  readonly #trees = new Set<string>()
  #empty: readonly string[] = []
  #claims: readonly string[] = []
  #child: ChildProcess | undefined

  /** Whether it runs already, so that watching another group costs no start. */
  get isAwake(): boolean {
    return this.#child !== undefined
  }

  /** Resolves once the watchdog knows the group, or if there can be no watchdog. */
  watch(pgid: number): Promise<void> {
    this.#groups.add(pgid)
    return this.#update('groups')
  }

  forget(pgid: number): void {
    if (this.#groups.delete(pgid)) void this.#tell(['groups'])
  }

  /** Removes folders and their contents at the end. They need not exist yet. */
  removeTrees(paths: readonly string[]): void {
    if (this.#child !== undefined && paths.every((path) => this.#trees.has(path))) return
    for (const path of paths) this.#trees.add(path)
    void this.#update('paths')
  }

  /** Sets the paths to remove at the end, if they are then empty files or folders that no other process claims. */
  removeEmpty(paths: readonly string[], claims: readonly string[] = []): void {
    this.#empty = paths
    this.#claims = claims
    void (paths.length > 0 ? this.#update('paths') : this.#tell(['paths']))
  }

  /** Lets it go. It ends everything it still watches. */
  close(): void {
    this.#child?.stdin?.end()
    this.#child = undefined
  }

  /** Tells it one of the lists, or both if it has to start first. */
  #update(list: List): Promise<void> {
    if (this.#child !== undefined) return this.#tell([list])
    this.#child = this.#start()
    return this.#tell(['groups', 'paths'])
  }

  /** Tells it no more than what changed: its shell reads byte by byte. */
  #tell(lists: readonly List[]): Promise<void> {
    const lines = [...lists.flatMap((list) => this.#linesOf(list)), 'end']
    // A path with a line break would be read as several paths.
    const text = lines.filter((line) => !line.includes('\n')).join('\n')
    const stdin = this.#child?.stdin
    return new Promise((resolve) => {
      if (stdin == null) resolve()
      else stdin.write(`${text}\n`, () => resolve())
    })
  }

  #linesOf(list: List): readonly string[] {
    if (list === 'groups') return [['groups', ...this.#groups].join(' ')]
    return [
      'paths',
      ...this.#empty.map((path) => `empty ${path}`),
      ...this.#claims.map((path) => `claim ${path}`),
      ...[...this.#trees].map((path) => `tree ${path}`),
    ]
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
    // If it fails to start or is killed, the next update starts another.
    for (const source of [child, child.stdin]) source?.on('error', forget)
    child.once('exit', forget)
    child.unref()
    unref(child.stdin)
    return child
  }
}
