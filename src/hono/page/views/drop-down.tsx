import type { ReactElement, ReactNode } from 'react'
import { Icon } from '../icon.tsx'

interface DropDownProps {
  /** Names it to those who hear the page. */
  readonly label: string
  readonly value: string
  /** The options. */
  readonly children: ReactNode
  onChoose(value: string): void
}

/** A list to choose from, with the same look in each browser. */
export function DropDown({ label, value, children, onChoose }: DropDownProps): ReactElement {
  return (
    <span className="drop-down">
      <select aria-label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
        {children}
      </select>
      <Icon name="fold" />
    </span>
  )
}
