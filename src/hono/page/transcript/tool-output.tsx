import { type ReactElement, useState } from 'react'
import { cutText } from '../../../characters/cut.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'

/** Characters of output that are drawn before the user asks for the rest. */
const firstCharacters = 8_000

/** Draws the output of a tool as it is. */
export function ToolOutputText({
  text,
  isFailed = false,
}: {
  readonly text: string
  readonly isFailed?: boolean
}): ReactElement {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? text : cutText(text, firstCharacters)
  const left = text.length - shown.length
  return (
    <div className={isFailed ? 'output failed' : 'output'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{shown}</pre>
      {left > 0 ? (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {formatBytes(left)} more
        </button>
      ) : null}
    </div>
  )
}
