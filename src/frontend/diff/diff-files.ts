/** A file of a unified diff. */
export interface DiffFile {
  /** Empty if the diff does not tell it. */
  readonly name: string
  /** Facts that its rows do not show, such as `new · binary`. */
  readonly remark: string
  /** Its part of the diff. */
  readonly diff: string
}

/** Divides a unified diff of any number of files. */
export function diffFiles(diff: string): readonly DiffFile[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((file) => file.trim() !== '')
    .map((file) => ({ name: diffName(file), remark: remarkOn(file), diff: file }))
}

/** Returns the name of a diff's file, also of one that has no lines to compare. */
export function diffName(file: string): string {
  const [, name] =
    /^\+\+\+ b\/(.*)$/m.exec(file) ??
    /^--- a\/(.*)$/m.exec(file) ??
    /^diff --git a\/.* b\/(.*)$/m.exec(file) ??
    []
  return name ?? ''
}

function remarkOn(file: string): string {
  const [, change] = /^(new|deleted) file mode /m.exec(file) ?? []
  const isBinary = /^(?:Binary files |GIT binary patch$)/m.test(file)
  const [, mode] = /^new mode (\d+)$/m.exec(file) ?? []
  return [change, isBinary ? 'binary' : '', mode === undefined ? '' : `mode ${mode}`]
    .filter(Boolean)
    .join(' · ')
}
