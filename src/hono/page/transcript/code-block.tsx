import { Fragment, memo, type ReactElement } from 'react'
import type { ColouredLine } from '../../../frontend/code/coloured-line.ts'
import { CodeParts, useColours } from './code-parts.tsx'

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
  const lines = useColours(code, language === '' ? undefined : ({ lines }) => lines(code, language))
  return (
    <div className={isContinued ? 'code continued' : 'code'}>
      {language === '' || !isNamed ? null : <p className="language">{language}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{lines === undefined ? code : <Lines lines={lines} />}</code>
      </pre>
    </div>
  )
})

function Lines({ lines }: { readonly lines: readonly ColouredLine[] }): ReactElement {
  const keyed = lines.map((line, place) => ({ line, key: String(place) }))
  return (
    <>
      {keyed.map(({ line: { parts }, key }, i) => (
        <Fragment key={key}>
          {i === 0 ? null : '\n'}
          <CodeParts parts={parts} />
        </Fragment>
      ))}
    </>
  )
}
