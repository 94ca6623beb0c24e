import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { usePage } from '../page-parts.ts'

interface WordsProps {
  readonly label: string
  readonly isRequired: boolean
  readonly isSending: boolean
  onSend(words: string): void
  /** Goes back to the options. Absent: there are none. */
  readonly onClose: (() => void) | undefined
}

/** An answer in words. */
export function WordsAnswer({ label, isRequired, isSending, onSend, onClose }: WordsProps): ReactElement {
  const [words, setWords] = useState('')
  const { hasKeyboard } = usePage()
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const isChosen = onClose !== undefined
  useEffect(() => {
    if (isChosen) field.current?.focus()
  }, [isChosen])
  const isEmpty = words.trim() === ''
  const send = () => {
    if (!isSending && !(isRequired && isEmpty)) onSend(words.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onClose !== undefined) onClose()
    else if (event.key === 'Enter' && hasKeyboard && !event.shiftKey && !event.nativeEvent.isComposing) send()
    else return
    event.preventDefault()
  }
  return (
    <div className="words">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="answers">
        <button
          type="button"
          className="primary"
          disabled={isSending || (isRequired && isEmpty)}
          onClick={send}
        >
          Send
        </button>
        {onClose === undefined ? null : (
          <button type="button" className="quiet" onClick={onClose}>
            Back
          </button>
        )}
      </div>
    </div>
  )
}
