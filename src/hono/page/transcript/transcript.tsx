import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { lastSheets, type Sheet } from '../session/sheet.ts'
import { EntryList } from './entry-list.tsx'

/** Sheets that are drawn at first, and added by each wish for more. */
const sheetsAtOnce = 3

/** Pixels from the end within which new text keeps the end in view. */
const nearEnd = 80

interface TranscriptProps {
  readonly last: Sheet | undefined
  /** Stands below the finished entries. */
  readonly children: ReactNode
}

/** Draws the end of a transcript in a box that scrolls, and keeps its end in view unless the user scrolled away. */
export function TranscriptPane({ last, children }: TranscriptProps): ReactElement {
  const [count, setCount] = useState(sheetsAtOnce)
  const { box, content, isAway, toEnd } = useEndInView()
  const sheets = lastSheets(last, count)
  const hasEarlier = sheets[0]?.before !== undefined
  const showEarlier = useKeptPlace(box, () => setCount(count + sheetsAtOnce))
  return (
    <div className="scroller">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="transcript" ref={box} tabIndex={0} aria-label="Conversation">
        <div className="column" ref={content}>
          {hasEarlier ? (
            <button type="button" className="earlier" onClick={showEarlier}>
              Show earlier
            </button>
          ) : null}
          {sheets.map(({ number, entries }) => (
            <EntryList key={number} entries={entries} />
          ))}
          {children}
        </div>
      </section>
      {isAway ? (
        <button type="button" className="to-end" onClick={toEnd} aria-label="To the end">
          <Icon name="down" />
        </button>
      ) : null}
    </div>
  )
}

/** Scrolls to the end whenever the content grows, while the user looks at it. */
function useEndInView() {
  const box = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const [scrolled, grown] = [box.current, content.current]
    if (scrolled === null || grown === null) return
    const look = () => {
      const left = scrolled.scrollHeight - scrolled.clientHeight - scrolled.scrollTop
      isAtEnd.current = left < nearEnd
      setAway(!isAtEnd.current)
    }
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) scrolled.scrollTop = scrolled.scrollHeight
      else look()
    })
    sizes.observe(grown)
    sizes.observe(scrolled)
    scrolled.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      scrolled.removeEventListener('scroll', look)
    }
  }, [])
  const toEnd = () => {
    const scrolled = box.current
    if (scrolled !== null) scrolled.scrollTop = scrolled.scrollHeight
  }
  return { box, content, isAway, toEnd }
}

/** Lets an action add content above without moving what the user looks at. */
function useKeptPlace(box: { readonly current: HTMLElement | null }, act: () => void): () => void {
  const fromEnd = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    const scrolled = box.current
    if (scrolled === null || fromEnd.current === undefined) return
    scrolled.scrollTop = scrolled.scrollHeight - fromEnd.current
    fromEnd.current = undefined
  })
  return () => {
    const scrolled = box.current
    if (scrolled !== null) fromEnd.current = scrolled.scrollHeight - scrolled.scrollTop
    act()
  }
}
