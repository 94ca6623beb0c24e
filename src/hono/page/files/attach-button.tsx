import { type ReactElement, useRef } from 'react'
import { Icon } from '../icon.tsx'
import { acceptedFiles } from './page-file.ts'

/** Opens the camera or the files of the device. */
export function AttachButton({ onFiles }: { onFiles(files: readonly File[]): void }): ReactElement {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={acceptedFiles}
        aria-label="Files"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file may be chosen again.
          target.value = ''
        }}
      />
      <button
        type="button"
        className="round quiet"
        aria-label="Attach files"
        title="Attach images or files"
        onClick={() => field.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  )
}
