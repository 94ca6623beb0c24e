import type { ReactElement, ReactNode } from 'react'
import { Icon } from '../icon.tsx'

interface BarProps {
  readonly title: string
  readonly subtitle?: ReactNode
  /** Goes back to the list; on a wide screen the list is beside this. */
  readonly hasBack?: boolean
  readonly children?: ReactNode
}

/** The bar on top of a view. */
export function Bar({ title, subtitle, hasBack = true, children }: BarProps): ReactElement {
  return (
    <header className="bar">
      {hasBack ? (
        <a className="round back" href="#/" aria-label="Back to the list">
          <Icon name="back" />
        </a>
      ) : null}
      <div className="titles">
        <h1>{title}</h1>
        {subtitle === undefined ? null : <div className="subtitle">{subtitle}</div>}
      </div>
      {children}
    </header>
  )
}
