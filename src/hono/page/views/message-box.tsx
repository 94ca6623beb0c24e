import type { ReactElement, ReactNode } from 'react'
import { AttachButton } from '../files/attach-button.tsx'
import { FileList } from '../files/file-list.tsx'
import type { FileChoice } from '../files/use-files.ts'
import { TextField } from './text-field.tsx'

interface MessageBoxProps {
  readonly value: string
  readonly label: string
  readonly placeholder: string
  /** Takes the focus when this becomes true, if nobody has it. */
  readonly isFocused: boolean
  readonly isTall?: boolean
  /** Absent: no files go with the text. */
  readonly choice?: FileChoice
  /** Other choices for the message. */
  readonly tools?: ReactNode
  /** The buttons that send. */
  readonly children?: ReactNode
  onChange(value: string): void
  onEnter(): void
}

/** Takes a message, with its files and choices. */
export function MessageBox({
  choice,
  tools,
  children,
  isTall = false,
  ...field
}: MessageBoxProps): ReactElement {
  return (
    <div className={isTall ? 'field tall' : 'field'}>
      {choice === undefined ? null : <FileList files={choice.files} remove={choice.remove} />}
      <TextField {...field} onFiles={choice?.add} />
      <div className="tools">
        {choice === undefined ? null : <AttachButton onFiles={choice.add} />}
        {tools}
        <span className="space" />
        {children}
      </div>
    </div>
  )
}
