import type { ReactElement, ReactNode } from 'react'
import { changedLines } from '../../../frontend/diff/diff-rows.ts'
import { formatLines } from '../../../frontend/words/amount.ts'
import { formatDuration } from '../../../frontend/words/duration.ts'
import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import { Icon } from '../icon.tsx'
import type { EndedCall, OpenCall, PlanItem } from '../session/page-entry.ts'
import { CodeBlock } from './code-block.tsx'
import { Diff } from './diff.tsx'
import { Fold } from './fold.tsx'
import { MediaList } from './media.tsx'
import { ToolOutputText } from './tool-output.tsx'

/** Draws an ended call in one line, which opens to its command, diff and output. */
export function EndedCallRow({ call }: { readonly call: EndedCall }): ReactElement {
  const { name, target, outcome, denial, durationMs, plan, errors } = call
  const time = durationMs === undefined || durationMs < 1_000 ? '' : formatDuration(durationMs)
  const isFailed = outcome !== 'done'
  return (
    <>
      <Fold
        className={`call ${outcome}`}
        summary={
          <>
            <span className="mark" role="img" aria-label={denial?.fact ?? outcomes[outcome]}>
              <Icon name={isFailed ? 'cross' : 'check'} />
            </span>
            <span className="name">{name}</span>
            <span className="subject">{target}</span>
            <Size call={call} />
            {errors === undefined ? null : <span className="size failed">{errors.count}</span>}
            {time === '' ? null : <span className="size">{time}</span>}
          </>
        }
        body={() => <CallBody call={call} />}
      />
      {errors === undefined ? null : <FoundErrors lines={errors.lines} />}
      {plan === undefined ? null : <Plan items={plan} />}
    </>
  )
}

const outcomes = { done: 'done', failed: 'failed', interrupted: 'stopped' } as const

/** Draws a call that the model writes, that waits, or that runs, with the end of its output. */
export function OpenCallRow({
  call,
  isAsked = false,
}: {
  readonly call: OpenCall
  /** The open question is about it. */
  readonly isAsked?: boolean
}): ReactElement {
  const { name, target, state, output } = call
  const words = isAsked ? 'waits for you' : states[state]
  const tail = output.trimEnd().split('\n').slice(-tailLines).join('\n')
  return (
    <div className={`fold call ${isAsked ? 'asked' : state}`}>
      <div className="summary">
        <span className="mark" role="img" aria-label={words}>
          <span className={state === 'running' && !isAsked ? 'spinner' : 'dot'} />
        </span>
        <span className="name">{name}</span>
        <span className="subject">{target}</span>
        <span className="size">{words}</span>
      </div>
      {tail === '' ? null : <pre className="tail">{tail}</pre>}
    </div>
  )
}

const states = { writing: 'writing', waiting: 'waiting', running: 'running' } as const

/** Lines of the output of a running call that are shown. */
const tailLines = 6

function Size({ call: { outcome, denial, output, diff, plan } }: { readonly call: EndedCall }): ReactNode {
  if (outcome === 'interrupted') return <span className="size">stopped</span>
  if (denial !== undefined) return <span className="size failed">{denial.fact}</span>
  if (outcome === 'failed') return <span className="size failed">failed</span>
  if (diff !== undefined) {
    const { added, removed } = changedLines([diff])
    return (
      <span className="size">
        <span className="added">+{added}</span> <span className="removed">-{removed}</span>
      </span>
    )
  }
  if (output === '' || plan !== undefined) return null
  return <span className="size">{formatLines(output.trimEnd().split('\n').length)}</span>
}

function CallBody({ call }: { readonly call: EndedCall }): ReactElement {
  const { arguments: args, target, outcome, output, diff, media } = call
  const hasDiff = diff !== undefined && outcome === 'done'
  return (
    <>
      {hasDiff ? <Diff diff={diff} /> : <Input arguments={args} target={target} />}
      {hasDiff || output === '' ? null : <ToolOutputText text={output} isFailed={outcome === 'failed'} />}
      {hasDiff || output !== '' || media.length > 0 ? null : <p className="remark">No output.</p>}
      <MediaList media={media} />
    </>
  )
}

/** Draws what the line of a call does not show: its whole command, or its arguments. */
function Input({
  arguments: args,
  target,
}: {
  readonly arguments: JsonValue
  readonly target: string
}): ReactNode {
  const fields = isJsonObject(args) ? args : {}
  const command = fields['command']
  if (typeof command === 'string') return <CodeBlock code={command} language="bash" isNamed={false} />
  const isShown = Object.values(fields).every((value) => typeof value === 'string' && target.includes(value))
  return isShown ? null : (
    <CodeBlock code={JSON.stringify(args, undefined, 2)} language="json" isNamed={false} />
  )
}

function FoundErrors({ lines }: { readonly lines: readonly string[] }): ReactElement {
  const keyed = lines.map((line, place) => ({ line, key: String(place) }))
  return (
    <ul className="errors" aria-label="New errors">
      {keyed.map(({ line, key }) => (
        <li key={key}>{line}</li>
      ))}
    </ul>
  )
}

function Plan({ items }: { readonly items: readonly PlanItem[] }): ReactElement {
  const keyed = items.map((item, place) => ({ item, key: String(place) }))
  return (
    <ul className="plan">
      {keyed.map(({ item: { text, status }, key }) => (
        <li key={key} className={status}>
          {text}
        </li>
      ))}
    </ul>
  )
}
