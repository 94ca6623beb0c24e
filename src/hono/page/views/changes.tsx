import { type ReactElement, useEffect, useState } from 'react'
import { errorText } from '../../../error.ts'
import { diffFiles } from '../../../frontend/diff/diff-files.ts'
import { diffSize } from '../../../frontend/diff/diff-rows.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { Icon } from '../icon.tsx'
import { usePage } from '../page-parts.ts'
import { Diff } from '../transcript/diff.tsx'
import { Fault } from './fault.tsx'
import { PageDialog } from './page-dialog.tsx'
import { RowChoice } from './row-choice.tsx'

/** A button that opens what a session has changed. */
export function ChangesButton({ id }: { readonly id: string }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="round quiet"
        aria-haspopup="dialog"
        aria-label="Changes"
        title="Changes"
        onClick={() => setOpen(true)}
      >
        <Icon name="diff" />
      </button>
      {isOpen ? <ChangesDialog id={id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ChangesDialog({ id, onClose }: { readonly id: string; onClose(): void }): ReactElement {
  const { api } = usePage()
  const [turns, setTurns] = useState('last')
  const [read, setRead] = useState<{ readonly diff: string } | { readonly fault: string }>()
  useEffect(() => {
    let isGone = false
    setRead(undefined)
    api.text(`/v1/sessions/${id}/diff?turns=${turns}`).then(
      (diff) => {
        if (!isGone) setRead({ diff })
      },
      (error: unknown) => {
        if (!isGone) setRead({ fault: errorText(error) })
      },
    )
    return () => {
      isGone = true
    }
  }, [api, id, turns])
  return (
    <PageDialog title="Changes" onClose={onClose}>
      <RowChoice
        label="Turns"
        chosen={turns}
        options={[
          ['last', 'Last turn'],
          ['all', 'All turns'],
        ]}
        onChoose={setTurns}
      />
      {read === undefined ? (
        <p className="remark">Loading the changes…</p>
      ) : 'fault' in read ? (
        <Fault text={read.fault} />
      ) : read.diff.trim() === '' ? (
        <p className="empty">
          {turns === 'last' ? 'The last turn' : 'This conversation'} has changed no files.
        </p>
      ) : (
        <>
          <p className="remark" role="status">
            {sizeOf(read.diff)}
          </p>
          <Diff diff={read.diff} />
        </>
      )}
    </PageDialog>
  )
}

function sizeOf(diff: string): string {
  const files = diffFiles(diff)
  return `${counted(files.length, 'file')} · ${diffSize(files.map((file) => file.diff))}`
}
