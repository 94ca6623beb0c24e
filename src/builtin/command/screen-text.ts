// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this is about
/** CSI; OSC; DCS, SOS, PM and APC; and the short ones. Unended strings go up to the end of the line. */
const escapeSequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g
const eraseLine = /\x1b\[[012]?K/
const backspaced = /[^\x08]\x08/gu
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/**
 * What a terminal would show of a program's output, as plain text: escape sequences and control characters gone, a lone CR (a
 * progress bar) writes over its line, CRLF is a line end, NUL is ␀.
 */
export function screenText(raw: string): string {
  return raw.split('\n').map(screenLine).join('\n')
}

function screenLine(raw: string): string {
  if (!raw.includes('\r')) return plain(raw)
  const cells: string[] = []
  for (const part of raw.split('\r')) {
    const text = [...plain(part)]
    for (const [column, character] of text.entries()) cells[column] = character
    if (eraseLine.test(part)) cells.length = text.length
  }
  return cells.join('')
}

function plain(text: string): string {
  return text.replace(escapeSequences, '').replace(backspaced, '').replaceAll('\0', '␀').replace(controls, '')
}
