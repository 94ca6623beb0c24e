import { type ReactElement, useState } from 'react'

interface ConfirmProps {
  readonly label: string
  /** Says what will happen. */
  readonly question: string
  readonly style?: 'primary' | 'danger' | 'default'
  readonly isDisabled: boolean
  onConfirm(): void
}

/** A button that asks before it acts. */
export function Confirm({
  label,
  question,
  style = 'default',
  isDisabled,
  onConfirm,
}: ConfirmProps): ReactElement {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <button type="button" className={style} disabled={isDisabled} onClick={() => setAsking(true)}>
        {label}
      </button>
    )
  const confirm = () => {
    setAsking(false)
    onConfirm()
  }
  return (
    <fieldset className="confirm">
      <legend>{question}</legend>
      <button type="button" className={style} onClick={confirm}>
        {label}
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the safe answer to what was just asked for */}
      <button type="button" className="quiet" autoFocus onClick={() => setAsking(false)}>
        No
      </button>
    </fieldset>
  )
}
