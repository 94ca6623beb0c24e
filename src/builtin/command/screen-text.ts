// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this is about
/** CSI; OSC; DCS, SOS, PM and APC; and short sequences. Unterminated strings end with the line. */
const escapeSequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g
const eraseLine = /\x1b\[[012]?K/
/** A run of cursor movements up to the last one before text. Includes the `~` of vim's empty rows. */
const moves = /(?:\x1b\[\d*;\d*H(?:~? *(?=\x1b\[\d*;\d*H|$))?)+/g
const controls = /[\x00-\x07\x0b-\x1f\x7f-\x9f]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/**
 * A program's output as plain text, as a terminal would show it: removes escape sequences and control characters; a lone CR (progress
 * bar) and a backspace (spinner) overwrite; CRLF ends a line; NUL becomes ␀. Text placed by a cursor movement starts a line.
 */
export function screenText(raw: string): string {
  return raw.replace(moves, '\n').split('\n').map(screenLine).join('\n')
}

function screenLine(raw: string): string {
  if (!/[\r\b]/.test(raw)) return plain(raw)
  const cells: string[] = []
  for (const part of raw.split('\r')) {
    let column = 0
    for (const character of plain(part)) {
      if (character === '\b') column = Math.max(0, column - 1)
      else {
        cells[column] = character
        column++
      }
    }
    if (eraseLine.test(part)) cells.length = column
  }
  return cells.join('')
}

/** Keeps backspaces. */
function plain(text: string): string {
  return text.replace(escapeSequences, '').replaceAll('\0', '␀').replace(controls, '')
}
