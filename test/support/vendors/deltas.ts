/** Splits a text into deltas of a few characters. */
export function deltasOf(text: string): string[] {
  return text.match(/[\s\S]{1,6}/gu) ?? []
}

/** Splits a text into pieces of these lengths and the rest. */
export function cutInto(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = []
  let rest = text
  for (const length of lengths) {
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}
