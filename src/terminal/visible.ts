// Created on call, as Unicode properties take a millisecond. The upper bounds keep the matcher's stack small.
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const blankLines = () => /\n(?:[\0-\t\v-\x1f\x7f-\x9f\p{Z}\p{DI}\u2800]*\n){4,10000}/gu
const blanks = () => /[\0-\t\v-\x1f\x7f-\x9f\p{Z}\p{DI}\u2800]{41,10000}/gu
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above
/** More marks than any script puts on one letter: a pile of them covers the lines above and below. */
const pile = () => /(?<=[^\P{M}\p{DI}]{8})[^\P{M}\p{DI}]{1,10000}/gu
/** The group captures a selector and a joiner after a character outside ASCII, such as an emoji or an Arabic letter, which need them. */
const unseen = () =>
  /(?<=[^\p{ASCII}\p{C}\p{Z}\p{DI}])(\p{VS}?(?:\u200c|\u200d)|\p{VS})|[^\t\n\P{Cc}]|[^ \P{Z}]|[\p{Cs}\p{DI}\u2800\ufff9-\ufffb]/gu

/**
 * Makes everything visible in text that a user must judge, such as a command to allow. Shows acting, reordering and unseen characters
 * as escapes, such as `\x1b`. Counts blanks that would push text out of view and marks that would cover it. Cuts nothing.
 */
export function visible(text: string): string {
  return text
    .replace(blankLines(), (run) => `\n⟨${run.split('\n').length - 2} blank lines⟩\n`)
    .replace(blanks(), (run) => `⟨${run.length} blanks⟩`)
    .replace(pile(), (run) => `⟨${run.length} marks⟩`)
    .replace(unseen(), (character, needed?: string) => needed ?? escaped(character))
}

/** The same in one line, so that a name cannot forge another one. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\x0a')
}

/** The escape of a character: `\x1b`, `\u202e`, `\u{e0041}`. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const digits = code.toString(16)
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`
}
