import type { ReactElement } from 'react'

const paths = {
  attach:
    'm20 11.5-8.2 8.2a5.2 5.2 0 0 1-7.4-7.4l8.5-8.4a3.5 3.5 0 0 1 5 5l-8.5 8.4a1.8 1.8 0 0 1-2.5-2.5l7.8-7.8',
  back: 'M14.5 5 7.5 12l7 7',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 21h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevron: 'm9 6 6 6-6 6',
  cross: 'M6 6l12 12M18 6 6 18',
  diff: 'M12 4v10M7 9h10M7 19h10',
  down: 'M12 5v14m-6.5-6.5L12 19l6.5-6.5',
  file: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4',
  fold: 'm6.5 9.5 5.5 5.5 5.5-5.5',
  plus: 'M12 5v14M5 12h14',
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
