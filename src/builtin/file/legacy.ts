/** Encodings from before Unicode that are told by what their bytes spell. Named as the Encoding Standard does, but for its letter case. */
export type LegacyEncoding = 'Shift_JIS' | 'EUC-JP' | 'GBK' | 'Big5' | 'EUC-KR' | 'Windows-1251' | 'KOI8-R'

/** Bytes that are examined for a guess. */
const sampled = 65_536

/**
 * Guesses the encoding of text that is not Unicode, and decodes it. `undefined` unless the text is what one of these encodings spells, and
 * `encodeLegacy` returns the same bytes.
 */
export function decodeLegacy(
  bytes: Uint8Array,
): { readonly encoding: LegacyEncoding; readonly text: string } | undefined {
  const encoding = guess(bytes.subarray(0, sampled))
  if (encoding === undefined) return undefined
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    const table = createTable(encoding)
    const isExact = firstMisfit(text, table) === undefined && encodeWith(text, table).equals(bytes)
    return isExact ? { encoding, text } : undefined
  } catch {
    return undefined
  }
}

/** The first character of a text that an encoding lacks. */
export function misfitOf(encoding: LegacyEncoding, text: string): string | undefined {
  return firstMisfit(text, createTable(encoding))
}

/** The bytes of a text. It must not contain a misfit. */
export function encodeLegacy(encoding: LegacyEncoding, text: string): Uint8Array {
  return encodeWith(text, createTable(encoding))
}

/** The bytes of each character beyond ASCII, as Latin-1. */
type Table = ReadonlyMap<string, string>

function firstMisfit(text: string, table: Table): string | undefined {
  for (const character of text) if (character > '\x7f' && !table.has(character)) return character
  return undefined
}

function encodeWith(text: string, table: Table): Buffer {
  let bytes = ''
  for (const character of text) bytes += character <= '\x7f' ? character : (table.get(character) ?? '?')
  return Buffer.from(bytes, 'latin1')
}

/** Duplicates that Shift_JIS encoders do not use. */
const unused = new Set([0xed, 0xee])

/** Decodes every pair of bytes, each in a line of its own, because Node decodes these encodings but does not encode them. */
function createTable(encoding: LegacyEncoding): Table {
  const sequences: number[][] = []
  for (let lead = 0x80; lead <= 0xff; lead++) {
    sequences.push([lead])
    if (isSingle(encoding) || (encoding === 'Shift_JIS' && unused.has(lead))) continue
    for (let trail = 0x40; trail <= 0xfe; trail++) sequences.push([lead, trail])
  }
  const lines = new TextDecoder(encoding)
    .decode(Buffer.from(sequences.flatMap((one) => [...one, 0x0a])))
    .split('\n')
  const table = new Map<string, string>()
  for (const [i, sequence] of sequences.entries()) {
    const [character, ...more] = lines[i] ?? ''
    if (character === undefined || more.length > 0 || character === '\ufffd' || character <= '\x7f') continue
    if (!table.has(character)) table.set(character, String.fromCharCode(...sequence))
  }
  return table
}

function isSingle(encoding: LegacyEncoding): boolean {
  return encoding === 'Windows-1251' || encoding === 'KOI8-R'
}

function guess(bytes: Uint8Array): LegacyEncoding | undefined {
  const { high, joined } = countHigh(bytes)
  // Accented letters of western languages stand alone between ASCII letters.
  if (high < 4 || joined * 4 < high * 3) return undefined
  const japanese = japaneseIn(bytes)
  if (japanese !== undefined) return japanese
  const chinese = share(bytes, 'GBK', ([lead, trail]) => lead >= 0xa1 && lead <= 0xd7 && trail >= 0xa1)
  const words = wordsOf(bytes)
  const cyrillic = cyrillicIn(words)
  if (cyrillic !== undefined && (chinese < 0.7 || (cyrillic === 'KOI8-R' && high >= 12))) return cyrillic
  const taiwanese = share(bytes, 'Big5', ([lead]) => lead >= 0xa1 && lead <= 0xc6)
  const korean = share(bytes, 'EUC-KR', ([lead, trail]) => isHangul(lead) && trail >= 0xa1)
  if (korean > 0.9) return 'EUC-KR'
  if (chinese > 0.85) return 'GBK'
  if (taiwanese > 0.85) return 'Big5'
  const isLong = high >= 6 * words.length
  return chinese > 0.7 || (isLong && chinese > 0) ? 'GBK' : undefined
}

/** Rows of Hangul, and of punctuation. */
function isHangul(lead: number): boolean {
  return (lead >= 0xb0 && lead <= 0xc8) || lead === 0xa1 || lead === 0xa3
}

/** Counts the bytes beyond ASCII, and those that another byte of the same character may stand beside. */
function countHigh(bytes: Uint8Array): { readonly high: number; readonly joined: number } {
  let [high, joined] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue
    high++
    // The second byte of a character of Shift_JIS, GBK or Big5 may be ASCII.
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80 || isTrail(bytes[at + 1])) joined++
  }
  return { high, joined }
}

/** Splits bytes into words that hold some beyond ASCII: `l` a letter from 0xE0 on, `u` from 0xC0 on, `a` an ASCII letter, `x` another one. */
function wordsOf(bytes: Uint8Array): readonly string[] {
  let kinds = ''
  for (const byte of bytes) {
    const isLetter = /[a-z]/i.test(String.fromCharCode(byte))
    kinds += byte >= 0xe0 ? 'l' : byte >= 0xc0 ? 'u' : byte >= 0x80 ? 'x' : isLetter ? 'a' : ' '
  }
  return kinds.split(' ').filter((word) => /[lux]/.test(word))
}

/**
 * Cyrillic words have no ASCII letters in them, are often of four letters or more, and have capitals first or throughout. KOI8-R has its
 * capitals where Windows-1251 has small letters.
 */
function cyrillicIn(words: readonly string[]): 'Windows-1251' | 'KOI8-R' | undefined {
  const most = (test: (word: string) => boolean, least: number) =>
    words.filter(test).length >= words.length * least
  if (!most((word) => /^[lux]+$/.test(word), 0.9) || !most((word) => word.length >= 4, 0.34)) return undefined
  if (most((word) => /^(u?[lx]+|[ux]+)$/.test(word), 0.85) && most((word) => /l/.test(word), 0.01))
    return 'Windows-1251'
  if (most((word) => /^(l?u+|l+)$/.test(word), 0.85)) return 'KOI8-R'
  return undefined
}

function isTrail(byte = 0): boolean {
  return byte >= 0x40 && !/[a-z]/i.test(String.fromCharCode(byte))
}

/** Japanese is written with kana: in Shift_JIS behind 82 and 83, in EUC-JP behind A4 and A5. */
function japaneseIn(bytes: Uint8Array): 'Shift_JIS' | 'EUC-JP' | undefined {
  const shiftJis = share(bytes, 'Shift_JIS', ([lead, trail]) =>
    lead === 0x82 ? trail >= 0x9f : lead === 0x83,
  )
  const euc = share(bytes, 'EUC-JP', ([lead]) => lead === 0xa4 || lead === 0xa5)
  if (Math.max(shiftJis, euc) >= 0.15) return shiftJis > euc ? 'Shift_JIS' : 'EUC-JP'
  const kanji = share(bytes, 'Shift_JIS', ([lead]) => lead >= 0x81 && lead <= 0x97)
  // GBK uses these first bytes for rare characters only.
  return kanji > 0.95 ? 'Shift_JIS' : undefined
}

/** The share of the characters beyond ASCII that a test holds for; 0 if the bytes are not in this encoding. */
function share(
  bytes: Uint8Array,
  encoding: LegacyEncoding,
  test: (pair: readonly [lead: number, trail: number]) => boolean,
): number {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return 0
  }
  let [all, found] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    all++
    // Half-width katakana take one byte.
    if (encoding === 'Shift_JIS' && lead >= 0xa1 && lead <= 0xdf) continue
    at++
    if (test([lead, bytes[at] ?? 0])) found++
  }
  return all === 0 ? 0 : found / all
}
