import { useRef, useState } from 'react'
import { errorText } from '../../../error.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'
import { usePage } from '../page-parts.ts'
import { mostBytes, type PageFile } from './page-file.ts'

/** The files that go with the next message. */
export interface FileChoice {
  readonly files: readonly PageFile[]
  /** The reason for not taking the last ones; empty if they were taken. */
  readonly fault: string
  add(files: readonly File[]): void
  remove(file: PageFile): void
  /** Forgets those that were sent. */
  clear(sent: readonly PageFile[]): void
}

/** Holds the chosen files until they are sent. A reload forgets them. */
export function useFiles(): FileChoice {
  const { readFile } = usePage()
  const [files, setFiles] = useState<readonly PageFile[]>([])
  const [fault, setFault] = useState('')
  const size = useRef(0)
  const keep = (isKept: (file: PageFile) => boolean) => {
    const kept = files.filter(isKept)
    size.current = kept.reduce((sum, one) => sum + one.size, 0)
    setFiles(kept)
  }
  const take = async (chosen: readonly File[]) => {
    setFault('')
    const complain = (words: string) => setFault((said) => [said, words].filter(Boolean).join(' '))
    for (const file of chosen) {
      try {
        const read = await readFile(file)
        size.current += read.size
        if (size.current <= mostBytes) setFiles((known) => [...known, read])
        else {
          size.current -= read.size
          complain(
            `There is no room left for ${read.name}: a message can have ${formatBytes(mostBytes)} of files.`,
          )
        }
      } catch (error) {
        complain(errorText(error))
      }
    }
  }
  return {
    files,
    fault,
    add: (chosen) => void take(chosen),
    remove: (file) => keep((one) => one !== file),
    clear: (sent) => keep((one) => !sent.includes(one)),
  }
}
