import type { PageEntry } from './page-entry.ts'

/** The entries of a transcript in sheets, newest first, so that adding one copies only the last sheet. */
export interface Sheet {
  /** Counted from 0. */
  readonly number: number
  readonly entries: readonly PageEntry[]
  readonly before: Sheet | undefined
}

const mostEntries = 32

/** Adds an entry in constant time. */
export function addEntry(last: Sheet | undefined, entry: PageEntry): Sheet {
  if (last === undefined || last.entries.length === mostEntries)
    return { number: (last?.number ?? -1) + 1, entries: [entry], before: last }
  return { ...last, entries: [...last.entries, entry] }
}

/** Returns the last `count` sheets, oldest first. */
export function lastSheets(last: Sheet | undefined, count: number): readonly Sheet[] {
  const sheets: Sheet[] = []
  for (let sheet = last; sheet !== undefined && sheets.length < count; sheet = sheet.before)
    sheets.push(sheet)
  return sheets.reverse()
}
