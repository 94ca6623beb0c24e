/** A range of lines that became another. */
export interface LineChange {
  /** Lines `[oldStart, oldEnd)` became lines `[newStart, newEnd)`, counted from 0. */
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

const contextLines = 3
/** Above this many edits the rest counts as one change: the search takes quadratic time. */
const maxEdits = 1_000

/**
 * A unified diff of two texts with 3 lines of context, as accepted by `git apply`. Empty if they are equal. `before` is `undefined`
 * for a new file.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  const oldLines = splitLines(before ?? '')
  const newLines = splitLines(after)
  const hunks = group(lineChanges(oldLines, newLines)).map((hunk) => format(hunk, oldLines, newLines))
  const old = before === undefined ? '/dev/null' : `a/${path}`
  return hunks.length === 0 ? '' : [`--- ${old}\n+++ b/${path}\n`, ...hunks].join('')
}

/** Keeps line ends, so that a missing newline at the end counts as a difference. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The changes that turn one list of lines into the other, in order. */
export function lineChanges(a: readonly string[], b: readonly string[]): LineChange[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  const rest = Math.min(a.length, b.length) - start
  while (end < rest && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const found = shortestEdit(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return found.map((change) => ({
    oldStart: change.oldStart + start,
    oldEnd: change.oldEnd + start,
    newStart: change.newStart + start,
    newEnd: change.newEnd + start,
  }))
}

/** Myers' greedy algorithm ("An O(ND) Difference Algorithm", 1986). */
function shortestEdit(a: readonly string[], b: readonly string[]): LineChange[] {
  const whole = { oldStart: 0, oldEnd: a.length, newStart: 0, newEnd: b.length }
  if (a.length === 0 || b.length === 0) return a.length + b.length === 0 ? [] : [whole]
  const rounds: Furthest[] = []
  const furthest: Furthest = new Int32Array(2 * middle + 1).fill(-1)
  furthest[middle + 1] = 0
  for (let edits = 0; edits <= Math.min(a.length + b.length, maxEdits); edits++) {
    rounds.push(furthest.slice())
    for (let k = -edits; k <= edits; k += 2) {
      let x = comesFromAbove(furthest, k, edits) ? reached(furthest, k + 1) : reached(furthest, k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest[middle + k] = x
      if (x >= a.length && x - k >= b.length) return walkBack(rounds, a.length, b.length)
    }
  }
  return [whole]
}

/** How many old lines are consumed on each diagonal k, at `middle + k`. */
type Furthest = Int32Array

const middle = maxEdits + 1
const reached = (furthest: Furthest, k: number): number => furthest[middle + k] ?? -1

/** Whether the best way to diagonal k inserts a line rather than deletes one. */
function comesFromAbove(furthest: Furthest, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && reached(furthest, k - 1) < reached(furthest, k + 1))
}

function walkBack(rounds: readonly Furthest[], oldEnd: number, newEnd: number): LineChange[] {
  const found: LineChange[] = []
  let [x, y] = [oldEnd, newEnd]
  for (const [edits, furthest] of [...rounds.entries()].slice(1).reverse()) {
    const k = x - y
    const inserted = comesFromAbove(furthest, k, edits)
    const fromK = inserted ? k + 1 : k - 1
    const fromX = reached(furthest, fromK)
    const step = inserted
      ? { oldStart: fromX, oldEnd: fromX, newStart: fromX - fromK, newEnd: fromX - fromK + 1 }
      : { oldStart: fromX, oldEnd: fromX + 1, newStart: fromX - fromK, newEnd: fromX - fromK }
    const next = found.at(-1)
    if (next !== undefined && next.oldStart === step.oldEnd && next.newStart === step.newEnd) {
      found[found.length - 1] = { ...next, oldStart: step.oldStart, newStart: step.newStart }
    } else {
      found.push(step)
    }
    ;[x, y] = [step.oldStart, step.newStart]
  }
  return found.reverse()
}

/** Puts changes whose contexts touch into one hunk. */
function group(all: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = []
  for (const change of all) {
    const hunk = hunks.at(-1)
    const last = hunk?.at(-1)
    if (hunk !== undefined && last !== undefined && change.oldStart - last.oldEnd <= 2 * contextLines) {
      hunk.push(change)
    } else {
      hunks.push([change])
    }
  }
  return hunks
}

function format(
  hunk: readonly LineChange[],
  oldLines: readonly string[],
  newLines: readonly string[],
): string {
  const [first, last] = [hunk[0], hunk.at(-1)]
  if (first === undefined || last === undefined) return ''
  const from = Math.max(0, first.oldStart - contextLines)
  const to = Math.min(oldLines.length, last.oldEnd + contextLines)
  const newFrom = first.newStart - (first.oldStart - from)
  const newTo = last.newEnd + (to - last.oldEnd)
  const body: string[] = []
  let at = from
  for (const change of hunk) {
    body.push(...marked(' ', oldLines.slice(at, change.oldStart)))
    body.push(...marked('-', oldLines.slice(change.oldStart, change.oldEnd)))
    body.push(...marked('+', newLines.slice(change.newStart, change.newEnd)))
    at = change.oldEnd
  }
  body.push(...marked(' ', oldLines.slice(at, to)))
  return `@@ -${span(from, to)} +${span(newFrom, newTo)} @@\n${body.join('')}`
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) =>
    line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`,
  )
}

/** An empty span names the line before it. */
function span(from: number, to: number): string {
  return to === from ? `${from},0` : `${from + 1},${to - from}`
}
