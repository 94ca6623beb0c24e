import { memo, type ReactElement, useEffect, useState } from 'react'
import { usePage } from '../page-parts.ts'
import type { Piece } from './highlight.ts'

interface CodeProps {
  readonly code: string
  readonly language?: string
  /** Whether its language is told. Default: true. */
  readonly isNamed?: boolean
  /** It continues the block above it. */
  readonly isContinued?: boolean
}

/** Draws code that scrolls sideways, also by keyboard. */
export const CodeBlock = memo(function CodeBlock({
  code,
  language = '',
  isNamed = true,
  isContinued = false,
}: CodeProps): ReactElement {
  const pieces = usePieces(code, language)
  return (
    <div className={isContinued ? 'code continued' : 'code'}>
      {language === '' || !isNamed ? null : <span className="language">{language}</span>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{pieces === undefined ? code : <Pieces pieces={pieces} />}</code>
      </pre>
    </div>
  )
})

/** Milliseconds for which code must not change before it is coloured: not at each piece of a reply. */
const restMs = 150

/** Colours code once it rests. `undefined` until then, and where there is nothing to colour. */
function usePieces(code: string, language: string): readonly Piece[] | undefined {
  const { clock, highlight } = usePage()
  const [coloured, setColoured] = useState<{
    readonly code: string
    readonly pieces: readonly Piece[] | undefined
  }>()
  useEffect(() => {
    if (language === '') return undefined
    let isGone = false
    const colour = async () => {
      const pieces = (await highlight())(code, language)
      if (!isGone) setColoured({ code, pieces })
    }
    const stop = clock.after(restMs, () => {
      // Without colours the code is still there: the network may be gone.
      colour().catch(() => setColoured(undefined))
    })
    return () => {
      isGone = true
      stop()
    }
  }, [code, language, clock, highlight])
  return coloured?.code === code ? coloured.pieces : undefined
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): ReactElement {
  const keyed = pieces.map((piece, place) => ({ piece, key: String(place) }))
  return (
    <>
      {keyed.map(({ piece: { text, kind }, key }) =>
        kind === '' ? (
          text
        ) : (
          <span key={key} className={`code-${kind}`}>
            {text}
          </span>
        ),
      )}
    </>
  )
}
