import type { OutputFile } from '../../frontend/conversation-view.ts'
import { formatBytes } from '../../frontend/words/amount.ts'
import { callTarget } from '../../frontend/words/call-target.ts'
import { formatDuration } from '../../frontend/words/duration.ts'
import { isJsonObject, type JsonValue } from '../../json-value.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { drawDiff } from '../code/diff.ts'
import type { EndedCall } from '../transcript/call.ts'
import { ByteSource, bytesOf } from './byte-source.ts'
import { RowSource } from './row-source.ts'
import type { Source } from './source.ts'
import { openView, type View } from './view.ts'
import { emptyText } from './view-draw.ts'

/** Characters of a call's target in the title. */
const targetLength = 300

/** A call to show, and the file with its whole output if that is not in its result. */
export interface ShownCall {
  readonly calls: readonly EndedCall[]
  readonly index: number
  readonly file: OutputFile | undefined
  /** Highlights diffs, once it is loaded. */
  readonly syntax: Syntax | undefined
  /** Whether the user's own pager can show it. */
  readonly hasPager: boolean
}

/** Shows the whole output of one of the last calls. */
export function outputView({ calls, index, file, syntax, hasPager }: ShownCall): View | undefined {
  const call = calls[index]
  if (call === undefined) return undefined
  const target = callTarget(call.arguments).slice(0, targetLength)
  const facts = [
    calls.length > 1 ? `call ${index + 1} of ${calls.length}` : '',
    file === undefined ? '' : formatBytes(file.size),
    exitOf(call),
    call.durationMs === undefined ? '' : formatDuration(call.durationMs),
  ]
  return openView({
    type: 'output',
    title: [call.name, target].filter(Boolean).join('  '),
    facts: facts.filter(Boolean).join(' · '),
    source: sourceOf(call, file, syntax),
    hints: [...(hasPager ? ['v your pager'] : []), ...(calls.length > 1 ? ['[ ] other calls'] : [])],
    call: index,
  })
}

/** Returns the path of the file with the whole output of a call, if that was too long for the model. */
export function spillOf({ details }: EndedCall): string | undefined {
  return detail(details, 'spill')
}

function sourceOf(
  { text, details, isError }: EndedCall,
  file: OutputFile | undefined,
  syntax: Syntax | undefined,
): Source {
  if (file !== undefined) return new ByteSource(file)
  const diff = detail(details, 'diff')
  if (diff !== undefined && !isError)
    return new RowSource((width) => ({ rows: drawDiff(diff, width, syntax) }))
  if (text.trim() === '') return new RowSource(() => ({ rows: emptyText('It printed nothing.') }))
  return new ByteSource(bytesOf(text))
}

function exitOf({ details, isError, isInterrupted }: EndedCall): string {
  const code = isJsonObject(details) ? details['exit_code'] : undefined
  if (isInterrupted === true) return 'interrupted'
  return typeof code === 'number' && code !== 0 ? `exit ${code}` : isError ? 'failed' : ''
}

function detail(details: JsonValue | undefined, name: string): string | undefined {
  const value = isJsonObject(details) ? details[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
