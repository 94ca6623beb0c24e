import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactElement,
  useLayoutEffect,
  useRef,
} from 'react'
import { usePage } from '../page-parts.ts'

interface TextFieldProps {
  readonly value: string
  readonly label: string
  readonly placeholder: string
  /** Takes the focus when this becomes true, if nobody has it. */
  readonly isFocused?: boolean
  onChange(value: string): void
  /** Enter was pressed, on a device with a keyboard. */
  onEnter(): void
  /** Files were pasted or dropped. Absent: the field takes none. */
  readonly onFiles?: ((files: readonly File[]) => void) | undefined
}

/** A field of text that grows with its content. Shift+Enter begins a line; on a phone Enter does too. */
export function TextField({
  value,
  label,
  placeholder,
  isFocused = false,
  onChange,
  onEnter,
  onFiles,
}: TextFieldProps): ReactElement {
  const { hasKeyboard } = usePage()
  const field = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height depends on its text
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [value])
  useLayoutEffect(() => {
    const { current } = field
    if (!isFocused || !hasKeyboard || current === null) return
    const { activeElement, body } = current.ownerDocument
    if (activeElement === null || activeElement === body) current.focus()
  }, [isFocused, hasKeyboard])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !hasKeyboard || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEnter()
  }
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    if (onFiles === undefined || data.files.length === 0) return
    event.preventDefault()
    onFiles([...data.files])
  }
  return (
    <textarea
      ref={field}
      rows={1}
      value={value}
      aria-label={label}
      placeholder={placeholder}
      enterKeyHint={hasKeyboard ? 'send' : 'enter'}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
      onPaste={(event) => take(event, event.clipboardData)}
      onDrop={(event) => take(event, event.dataTransfer)}
    />
  )
}
