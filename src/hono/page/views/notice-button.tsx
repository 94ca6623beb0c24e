import { type ReactElement, useState } from 'react'
import { Icon } from '../icon.tsx'
import { usePage } from '../page-parts.ts'

/** Turns notifications on and off. Says why where the browser shows none. */
export function NoticeButton(): ReactElement | null {
  const { notices } = usePage()
  const [isOn, setOn] = useState(notices.isOn)
  const [fault, setFault] = useState('')
  if (!notices.isOffered) return null
  const toggle = async () => {
    setFault(isOn ? notices.turnOff() : await notices.turnOn())
    setOn(notices.isOn)
  }
  return (
    <>
      <button
        type="button"
        className={isOn ? 'round quiet bell on' : 'round quiet bell'}
        aria-pressed={isOn}
        aria-label="Notify me about questions"
        title={isOn ? 'Notifications are on' : 'Notify me about questions'}
        onClick={() => void toggle()}
      >
        <Icon name="bell" />
      </button>
      {fault === '' ? null : (
        <p className="told" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
