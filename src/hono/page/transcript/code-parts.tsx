import { Fragment, type ReactElement, useEffect, useState } from 'react'
import type { CodePart } from '../../../frontend/code/coloured-line.ts'
import { usePage } from '../page-parts.ts'
import type { Colouring } from './colouring.ts'

/** Characters of a text, from `start` to before `end`. */
interface MarkedRange {
  readonly start: number
  readonly end: number
}

/** Draws the parts of code in their colours, and marks ranges of its text. */
export function CodeParts({
  parts,
  marks = [],
}: {
  readonly parts: readonly CodePart[]
  readonly marks?: readonly MarkedRange[]
}): ReactElement {
  const pieces = marks.length === 0 ? parts.map((part) => ({ ...part, isMarked: false })) : cut(parts, marks)
  const keyed = pieces.map((piece, place) => ({ piece, key: String(place) }))
  return (
    <>
      {keyed.map(({ piece: { text, kind, isMarked }, key }) => {
        const look = kind === undefined ? undefined : `code-${kind}`
        if (isMarked)
          return (
            <mark key={key} className={look}>
              {text}
            </mark>
          )
        if (look === undefined) return <Fragment key={key}>{text}</Fragment>
        return (
          <span key={key} className={look}>
            {text}
          </span>
        )
      })}
    </>
  )
}

/** Divides parts at the borders of the marks. Neighbours of one mark stay apart, so that each keeps its colour. */
function cut(
  parts: readonly CodePart[],
  marks: readonly MarkedRange[],
): readonly (CodePart & { readonly isMarked: boolean })[] {
  const edges = marks.flatMap(({ start, end }) => [start, end])
  let at = 0
  return parts.flatMap((part) => {
    const [begin, end] = [at, at + part.text.length]
    at = end
    const inner = [...new Set([begin, ...edges.filter((edge) => edge > begin && edge < end), end])]
    const sorted = inner.sort((a, b) => a - b)
    return sorted.slice(1).map((to, i) => {
      const from = sorted[i] ?? begin
      const isMarked = marks.some((mark) => from >= mark.start && from < mark.end)
      return { ...part, text: part.text.slice(from - begin, to - begin), isMarked }
    })
  })
}

/** Milliseconds for which a text must not change before it is coloured: not at each piece of a reply. */
const restMs = 150

/**
 * Colours a text once it rests. `undefined` until then, and where nothing colours it. `colour` is called anew when `text` changes.
 * `isNow`: what is final does not wait.
 */
export function useColours<T>(
  text: string,
  colour: ((colouring: Colouring) => T | undefined) | undefined,
  isNow = false,
): T | undefined {
  const { clock, colouring } = usePage()
  const [found, setFound] = useState<{ readonly text: string; readonly look: T | undefined }>()
  const isPlain = colour === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: a colour that the text decides is as new as the text
  useEffect(() => {
    if (isPlain) return undefined
    let isGone = false
    const look = async () => {
      const found = colour?.(await colouring())
      if (!isGone) setFound({ text, look: found })
    }
    const stop = clock.after(isNow ? 0 : restMs, () => {
      // Without colours the text is still there: the network may be gone.
      look().catch(() => setFound(undefined))
    })
    return () => {
      isGone = true
      stop()
    }
  }, [text, isPlain, isNow, clock, colouring])
  return found?.text === text ? found.look : undefined
}
