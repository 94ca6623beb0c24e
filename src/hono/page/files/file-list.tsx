import type { ReactElement } from 'react'
import { formatBytes } from '../../../frontend/words/amount.ts'
import { Icon } from '../icon.tsx'
import type { FileChoice } from './use-files.ts'

/** Shows the files that go with the next message. */
export function FileList({ files, remove }: Pick<FileChoice, 'files' | 'remove'>): ReactElement | null {
  if (files.length === 0) return null
  const keyed = files.map((file, place) => ({ file, key: `${place} ${file.name}` }))
  return (
    <ul className="files" aria-label="Files">
      {keyed.map(({ file, key }) => (
        <li key={key}>
          {file.picture === undefined ? <Icon name="file" /> : <img alt="" src={file.picture} />}
          <span className="subject">{file.name}</span>
          <span className="size">{formatBytes(file.size)}</span>
          <button
            type="button"
            className="round quiet"
            aria-label={`Remove ${file.name}`}
            onClick={() => remove(file)}
          >
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  )
}
