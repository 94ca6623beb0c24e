import type { ReactElement } from 'react'
import type { PageMedia } from '../session/page-entry.ts'

/** Draws images that the transcript holds; of anything else its name. */
export function MediaList({ media }: { readonly media: readonly PageMedia[] }): ReactElement | null {
  if (media.length === 0) return null
  const keyed = media.map((one, place) => ({ one, key: String(place) }))
  return (
    <>
      {keyed.map(({ one: { label, source }, key }) => (
        <figure key={key}>
          {source === undefined ? null : <img alt="" src={source} />}
          <figcaption>{label}</figcaption>
        </figure>
      ))}
    </>
  )
}
