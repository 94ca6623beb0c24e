const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const escapes = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gsu

/** Decodes the text between the quotes of `$'…'` the way bash does. */
export function decodeAnsiC(text: string): string {
  const decoded = text.replace(escapes, (_, hex, short, long, octal, control, letter) => {
    const code = hex ?? short ?? long
    if (code !== undefined) return fromCode(Number.parseInt(code, 16))
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff)
    if (control !== undefined) return fromCode(String(control).charCodeAt(0) & 0x1f)
    return letters[letter] ?? letter
  })
  // Bash ends the text at a NUL.
  return decoded.split('\0', 1)[0] ?? ''
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
