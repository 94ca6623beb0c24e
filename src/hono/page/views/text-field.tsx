import { type KeyboardEvent, type ReactElement, useLayoutEffect, useRef } from 'react'
import { usePage } from '../page-parts.ts'

interface TextFieldProps {
  readonly value: string
  readonly label: string
  readonly placeholder: string
  readonly isFocused?: boolean
  onChange(value: string): void
  /** Enter was pressed, on a device with a keyboard. */
  onEnter(): void
}

/** A field of text that grows with its content. Shift+Enter begins a line; on a phone Enter does too. */
export function TextField({
  value,
  label,
  placeholder,
  isFocused = false,
  onChange,
  onEnter,
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
    if (isFocused && hasKeyboard) field.current?.focus()
  }, [isFocused, hasKeyboard])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !hasKeyboard || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEnter()
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
    />
  )
}
