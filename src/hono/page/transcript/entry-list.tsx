import { memo, type ReactElement } from 'react'
import { oneLine } from '../../../characters/one-line.ts'
import { unreachable } from '../../../error.ts'
import { formatLines } from '../../../frontend/words/amount.ts'
import type { PageEntry } from '../session/page-entry.ts'
import { EndedCallRow } from './call.tsx'
import { ElfSummary } from './elf-box.tsx'
import { Fold } from './fold.tsx'
import { MediaList } from './media.tsx'
import { Prose } from './prose.tsx'

/** Draws the entries of a sheet. They never change, so they are drawn once. */
export const EntryList = memo(function Entries({
  entries,
}: {
  readonly entries: readonly PageEntry[]
}): ReactElement {
  const keyed = entries.map((entry, place) => ({ entry, key: String(place) }))
  return (
    <>
      {keyed.map(({ entry, key }) => (
        <EntryView key={key} entry={entry} />
      ))}
    </>
  )
})

const EntryView = memo(function EntryView({ entry }: { readonly entry: PageEntry }): ReactElement {
  switch (entry.type) {
    case 'prompt':
      return (
        <article className="prompt" aria-label="You">
          <MediaList media={entry.media} />
          {entry.text === '' ? null : <p>{entry.text}</p>}
          {entry.notes.map((words) => (
            <p key={words} className="remark">
              {words}
            </p>
          ))}
        </article>
      )
    case 'reply':
      return (
        <article className="reply" aria-label="Reply">
          <Prose text={entry.text} />
        </article>
      )
    case 'thinking':
      return <Thought text={entry.text} />
    case 'media':
      return <MediaList media={entry.media} />
    case 'note':
      return <p className={`note ${entry.level}`}>{entry.text}</p>
    case 'call':
      return (
        <>
          <EndedCallRow call={entry} />
          {entry.elf === undefined ? null : <ElfSummary elf={entry.elf} />}
        </>
      )
    default:
      return unreachable(entry)
  }
})

/** Longest beginning of a thought that its line shows. */
const mostShown = 160

function Thought({ text }: { readonly text: string }): ReactElement {
  return (
    <Fold
      className="thinking"
      summary={
        <>
          <span className="name">Thought</span>
          <span className="subject">{oneLine(text, mostShown)}</span>
          <span className="size">{formatLines(text.trim().split('\n').length)}</span>
        </>
      }
      body={() => <Prose text={text} />}
    />
  )
}
