import { memo, type ReactElement } from 'react'
import type { OpenCall, PageElf } from '../session/page-entry.ts'
import type { PageReply, ReplySegment } from '../session/reply-segments.ts'
import { OpenCallRow } from './call.tsx'
import { CodeBlock } from './code-block.tsx'
import { ElfRow } from './elf-box.tsx'
import { Prose } from './prose.tsx'

interface LiveProps {
  readonly reply: PageReply
  readonly calls: readonly OpenCall[]
  readonly elves: readonly PageElf[]
  readonly isWaiting: boolean
  /** The id of the call that waits for an answer; empty if none does. */
  readonly askedCall: string
  onStopElf(name: string): void
}

/** Draws what is still being written and done. */
export function Live({ reply, calls, elves, isWaiting, askedCall, onStopElf }: LiveProps): ReactElement {
  const working = elves.filter(({ state }) => state === 'working')
  const own = new Set(calls.map(({ id }) => id))
  const elfRow = (elf: PageElf) => <ElfRow key={elf.id} elf={elf} onStop={() => onStopElf(elf.name)} />
  const isSilent = isWaiting && reply.open === undefined && calls.length === 0
  return (
    <>
      <div className="reply live">
        <ClosedSegments segments={reply.closed} />
        {reply.open === undefined ? null : <SegmentView segment={reply.open} isOpen />}
      </div>
      {calls.map((call) => (
        <div key={call.id}>
          <OpenCallRow call={call} isAsked={call.id === askedCall} />
          {working.filter(({ callId }) => callId === call.id).map(elfRow)}
        </div>
      ))}
      {working.filter(({ callId }) => !own.has(callId)).map(elfRow)}
      {isSilent ? (
        <p className="pulse" role="img" aria-label="The model is asked">
          <span />
          <span />
          <span />
        </p>
      ) : null}
    </>
  )
}

const ClosedSegments = memo(function ClosedSegments({
  segments,
}: {
  readonly segments: readonly ReplySegment[]
}): ReactElement {
  const keyed = segments.map((segment, place) => ({ segment, key: String(place) }))
  return (
    <>
      {keyed.map(({ segment, key }) => (
        <SegmentView key={key} segment={segment} />
      ))}
    </>
  )
})

const SegmentView = memo(function SegmentView({
  segment: { type, text, isContinued },
  isOpen = false,
}: {
  readonly segment: ReplySegment
  readonly isOpen?: boolean
}): ReactElement {
  switch (type) {
    case 'thinking':
      return (
        <div className="fold thinking">
          <div className="summary">
            {isOpen ? <span className="spinner" /> : null}
            <span className="name">{isOpen ? 'Thinking' : 'Thought'}</span>
            <span className="subject">{text.slice(-shownOfThought).replace(/\s+/g, ' ')}</span>
          </div>
        </div>
      )
    case 'code':
      return isContinued ? (
        <CodeBlock code={text.replace(/\n(?:`{3,}|~{3,})\s*$/, '')} isContinued />
      ) : (
        <Prose text={text} />
      )
    default:
      return <Prose text={text} />
  }
})

/** Characters of current thinking that are shown. */
const shownOfThought = 200
