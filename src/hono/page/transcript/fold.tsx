import { type ReactElement, type ReactNode, useId, useState } from 'react'
import { Icon } from '../icon.tsx'

interface FoldProps {
  readonly className: string
  /** One line, which opens the rest. */
  readonly summary: ReactNode
  /** Draws the rest; called once it is open. Absent: there is nothing to open. */
  readonly body?: (() => ReactNode) | undefined
}

/** One line that opens to more. What is folded is not drawn. */
export function Fold({ className, summary, body }: FoldProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (body === undefined)
    return (
      <div className={`fold ${className}`}>
        <div className="summary">{summary}</div>
      </div>
    )
  return (
    <div className={`fold ${className}`}>
      <button
        type="button"
        className="summary"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {summary}
        <Icon name="chevron" />
      </button>
      {isOpen ? (
        <div className="body" id={id}>
          {body()}
        </div>
      ) : null}
    </div>
  )
}
