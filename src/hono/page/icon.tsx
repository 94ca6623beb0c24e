import type { ReactElement } from 'react'

const paths = {
  back: 'M14.5 5 7.5 12l7 7',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  cross: 'M6 6l12 12M18 6 6 18',
  down: 'M12 5v14m-6.5-6.5L12 19l6.5-6.5',
  plus: 'M12 5v14M5 12h14',
  question: 'M9 9a3 3 0 1 1 4.2 2.75c-.8.4-1.2 1-1.2 2M12 17.2v.1',
  send: 'M12 19V5m-6.5 6.5L12 5l6.5 6.5',
  stop: 'M7.5 7.5h9v9h-9z',
} as const

/** Draws a line icon in the colour of its text. */
export function Icon({ name }: { readonly name: keyof typeof paths }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
