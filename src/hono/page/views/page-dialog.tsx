import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from '../icon.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  onClose(): void
}

/** A view above the page, which takes the keyboard until Escape or its button closes it. */
export function PageDialog({ title, children, onClose }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed before it is taken out, so that the focus goes back to where it was.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) onClose()
      }}
    >
      <header className="bar">
        <h2 id={id}>{title}</h2>
        <button type="button" className="round quiet" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <div className="sheet-body">{children}</div>
    </dialog>
  )
}
