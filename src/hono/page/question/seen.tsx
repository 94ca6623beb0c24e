import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'

interface SeenProps {
  readonly children: ReactNode
  /** Called once the end of the content was on the screen. */
  onSeen(): void
}

/** A box that scrolls, and tells when its end was shown. */
export function Seen({ children, onSeen }: SeenProps): ReactElement {
  const end = useRef<HTMLDivElement>(null)
  const tell = useRef(onSeen)
  tell.current = onSeen
  useEffect(() => {
    const { current } = end
    if (current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) tell.current()
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="asked-about" tabIndex={0} aria-label="What is asked about">
      {children}
      <div className="end" ref={end} />
    </section>
  )
}
