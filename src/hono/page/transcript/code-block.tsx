import { memo, type ReactElement } from 'react'

interface CodeProps {
  readonly code: string
  readonly language?: string
  /** It continues the block above it. */
  readonly isContinued?: boolean
}

/** Draws code that scrolls sideways, also by keyboard. */
export const CodeBlock = memo(function CodeBlock({
  code,
  language = '',
  isContinued = false,
}: CodeProps): ReactElement {
  return (
    <div className={isContinued ? 'code continued' : 'code'}>
      {language === '' ? null : <span className="language">{language}</span>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  )
})
