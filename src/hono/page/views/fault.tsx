import type { ReactElement } from 'react'

interface FaultProps {
  /** Empty: there is none. */
  readonly text: string
  /** Stands across the whole view. */
  readonly isBanner?: boolean
}

/** Tells the user at once what went wrong. */
export function Fault({ text, isBanner = false }: FaultProps): ReactElement | null {
  if (text === '') return null
  return (
    <p className={isBanner ? 'banner fault' : 'fault'} role="alert">
      {text}
    </p>
  )
}
