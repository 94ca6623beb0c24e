import { PipeError } from '../../../error.ts'
import { counted, formatBytes } from '../../../frontend/words/amount.ts'
import type { TreeEntry } from '../../../plugins/content-tree.ts'
import type { StagedContent } from '../../../plugins/plugin-store.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { confirm } from '../confirmation.ts'
import { abilityLines, type PluginAbilities } from './plugin-abilities.ts'

/** Most things that a plugin may do: nobody reads more before a yes. */
const mostAbilities = 500
/** Most notes that are shown. */
const mostNotes = 50

/** Describes a copy whole, a line each. `from` names it and where it comes from. Throws `invalid` for more than anyone reads. */
export function describeStaged(
  from: string,
  staged: StagedContent,
  { abilities, notes }: PluginAbilities,
): readonly string[] {
  if (abilities.length > mostAbilities)
    throw new PipeError(
      'invalid',
      `it brings ${abilities.length} servers, hooks, skills, commands and agents, and a plugin has at most ${mostAbilities}`,
    )
  const bytes = staged.entries.reduce((sum, { size }) => sum + size, 0)
  const { commit, release } = staged
  const exactly =
    commit === undefined ? release && ` (version ${release})` : ` (commit ${commit.slice(0, 12)})`
  const does = abilityLines(abilities).map((line) => `  ${line}`)
  return [
    `the plugin ${from}${exactly ?? ''}`,
    `${counted(staged.entries.length, 'file')}, ${formatBytes(bytes)}`,
    does.length === 0
      ? 'It brings nothing that pipe knows.'
      : 'It may do this, outside the sandbox where it runs programs:',
    ...does,
    ...noteLines([...notes, ...staged.notes]),
  ]
}

/** Shows notes, a line each, but no flood of them. */
export function noteLines(notes: readonly string[]): readonly string[] {
  const lines = notes.slice(0, mostNotes).map((note) => `  note: ${note}`)
  const more = notes.length - mostNotes
  return more > 0 ? [...lines, `  note: and ${more} more like these`] : lines
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
    'nobody can be asked here, so nothing was changed: read the above, then add --yes',
    'pipe plugin --help',
  )
}
