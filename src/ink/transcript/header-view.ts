import { columnsOfLine, cut, type Line, line, type Span, type Style, span } from '../rows/line.ts'
import type { Header } from '../state.ts'

const quiet: Style = { color: 'muted' }
const faint: Style = { color: 'faint' }

/** Draws the head of a conversation in a row: name and place, and at the right the instructions that the model gets. */
export function drawHeader(header: Header, width: number): Line[] {
  const { version, instructions = [] } = header
  const name = [span('pipe', { bold: true }), ...(version === undefined ? [] : [span(` ${version}`, faint)])]
  const left = firstFitting(placesOf(header), width - columnsOfLine(name) - 2)
  const head: Line = left === undefined ? name : [...name, span('  '), ...left]
  return [cut(withLoaded(head, instructions, width), width)]
}

/** Lists forms of the folder and the branch, the fullest first. */
function placesOf({ folder, branch }: Header): readonly Line[] {
  if (folder === undefined) return []
  const last = folder.slice(folder.lastIndexOf('/') + 1) || folder
  const at: Span[] = branch === undefined ? [] : [span(' · ', faint), span(branch, quiet)]
  const inFolder = (name: string): Line => [span(name), ...at]
  return [inFolder(folder), inFolder(`…/${last}`), [span(folder)], [span(`…/${last}`)]]
}

/** Puts the names of the instruction files at the right, or how many they are. Leaves out what has no room. */
function withLoaded(head: Line, instructions: readonly string[], width: number): Line {
  if (instructions.length === 0) return head
  const forms = [`${instructions.join(', ')} loaded`, `${instructions.length} instruction files loaded`]
  const room = width - columnsOfLine(head) - 2
  const right = firstFitting(
    forms.slice(0, instructions.length === 1 ? 1 : 2).map((form) => line(form, faint)),
    room,
  )
  if (right === undefined) return head
  return [...head, span(' '.repeat(room + 2 - columnsOfLine(right))), ...right]
}

function firstFitting(forms: readonly Line[], room: number): Line | undefined {
  return forms.find((form) => columnsOfLine(form) <= room)
}
