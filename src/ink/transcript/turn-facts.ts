import { changedLines } from '../../frontend/diff/diff-rows.ts'
import { denialOf } from '../../frontend/words/denial.ts'
import { textField } from '../../json-value.ts'
import type { EndedCall } from './call.ts'
import { testVerdict } from './test-run.ts'

/** Facts of the running turn, which its last row tells. */
export interface TurnFacts {
  /** Monotonic start time. */
  readonly since: number
  /** Cost of the conversation before it, in US dollars. */
  readonly costBefore: number
  /** Paths of the files that its calls have changed. */
  readonly files: ReadonlySet<string>
  readonly added: number
  readonly removed: number
  /** Whether its last test run passed. Absent: it ran none, or nobody knows. */
  readonly isTested?: boolean
  /** Names what an undo leaves out, as a phrase. Absent for nothing. */
  readonly unsaved?: string
}

/** Begins to count the facts of a turn. */
export function beginFacts(since: number, costBefore: number): TurnFacts {
  return { since, costBefore, files: new Set(), added: 0, removed: 0 }
}

/** Counts an ended call. */
export function countCall(facts: TurnFacts, call: EndedCall): TurnFacts {
  const { look, arguments: args, details, isError } = call
  if (look.display === 'command') return countCommand(facts, call)
  const diff = textField(details, 'diff')
  if (isError || (diff === undefined && look.display !== 'file_change')) return facts
  const { added, removed } = changedLines([diff ?? ''])
  const path = textField(details, 'path') ?? textField(args, 'path') ?? ''
  return {
    ...facts,
    files: facts.files.has(path) ? facts.files : new Set([...facts.files, path]),
    added: facts.added + added,
    removed: facts.removed + removed,
  }
}

/** One that did not run, or that still runs in the background, tells nothing. */
function countCommand(facts: TurnFacts, call: EndedCall): TurnFacts {
  const isOver = denialOf(call) === undefined && textField(call.details, 'process') === undefined
  const command = textField(call.arguments, 'command') ?? ''
  const verdict = isOver ? testVerdict(command, call) : undefined
  if (verdict === undefined) return facts
  const { isTested: _, ...others } = facts
  return verdict === 'unknown' ? others : { ...others, isTested: verdict === 'passed' }
}
