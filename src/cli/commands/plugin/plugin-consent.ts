import { PipeError } from '../../../error.ts'
import type { TreeEntry } from '../../../plugins/content-tree.ts'
import type { StagedContent } from '../../../plugins/plugin-store.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { confirm } from '../confirmation.ts'
import { abilityLines, type PluginAbilities } from './plugin-abilities.ts'

/** Describes a copy whole, a line each. `from` names it and where it comes from. */
export function describeStaged(
  from: string,
  staged: StagedContent,
  { abilities, notes }: PluginAbilities,
): readonly string[] {
  const bytes = staged.entries.reduce((sum, { size }) => sum + size, 0)
  const { length } = staged.entries
  const commit = staged.commit === undefined ? '' : ` (commit ${staged.commit.slice(0, 12)})`
  const does = abilityLines(abilities).map((line) => `  ${line}`)
  return [
    `the plugin ${from}${commit}`,
    `${length} ${length === 1 ? 'file' : 'files'}, ${Math.ceil(bytes / 1024)} KiB`,
    does.length === 0
      ? 'It brings nothing that pipe knows.'
      : 'It may do this, outside the sandbox where it runs programs:',
    ...does,
    ...[...notes, ...staged.notes].map((note) => `  note: ${note}`),
  ]
}

/** Most names of files in a list. */
const mostNames = 50

/** Describes which files differ, a line each. */
export function changedFiles(
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly string[] {
  const lines = [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path) => {
    const [before, after] = [old.get(path), now.get(path)]
    if (before === after) return []
    if (before === undefined) return `+ ${path}`
    return after === undefined ? `- ${path}` : `~ ${path}`
  })
  const more = lines.length - mostNames
  return more > 0 ? [...lines.slice(0, mostNames), `and ${more} more files`] : lines
}

/** Maps the paths of entries to what stands there. */
export function hashesByPath(
  entries: readonly TreeEntry[],
  hashes: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    entries.map(({ path, isExecutable }, i) => [path, `${hashes[i]}${isExecutable ? ' program' : ''}`]),
  )
}

/** Shows what the user decides on, and asks. Throws `untrusted` for a no, and `usage` if nobody can be asked. */
export async function requireConsent(
  lines: readonly string[],
  question: string,
  context: Pick<RunContext, 'host' | 'flags' | 'signal'>,
): Promise<void> {
  const { host, flags } = context
  host.stderr.write(`${lines.map(visibleLine).join('\n')}\n`)
  if (flags.has('yes')) return
  const answer = await confirm(question, context)
  if (answer === true) return
  if (answer === false) throw new PipeError('untrusted', 'nothing was changed')
  throw usageError(
    'nobody can be asked here, so nothing was changed: read what is written above, then add --yes',
    'pipe plugin --help',
  )
}
