import { useState } from 'react'
import { usePage } from '../page-parts.ts'

/** Returns the unsent text of a place, which survives a reload, and a function that changes the text as it is by then. */
export function useDraft(place: string): readonly [string, (change: (text: string) => string) => void] {
  const { drafts } = usePage()
  const [draft, setDraft] = useState(() => drafts.read(place))
  return [
    draft,
    (change) => {
      const text = change(drafts.read(place))
      drafts.write(place, text)
      setDraft(text)
    },
  ]
}

/** Clears a text that was sent, unless it was edited in the meantime. */
export const withoutSent = (sent: string) => (text: string) => (text === sent ? '' : text)
