/** Decides which items of a list a filter finds. */
export interface Matcher {
  /** Returns how well a text matches a filter: more is better, 0 if it only has all words; `undefined` if it does not match. */
  readonly rank: (text: MatchedText, filter: string) => number | undefined
  /** Returns the positions of the characters of a label that match. */
  readonly marks: (label: string, filter: string) => readonly number[]
}

/** The texts of an item that a filter looks at. */
export interface MatchedText {
  readonly label: string
  /** All of them, in lower case. */
  readonly searched: string
}

/** Finds the items that contain every word. */
export const wordMatcher: Matcher = {
  rank: ({ searched }, filter) => (wordsOf(filter).every((word) => searched.includes(word)) ? 0 : undefined),
  marks: (label, filter) => {
    const text = label.toLowerCase()
    // Lower case may change the length of a text.
    if (text.length !== label.length) return []
    return wordsOf(filter).flatMap((word) => {
      const at = text.indexOf(word)
      return at < 0 ? [] : Array.from(word, (_, i) => at + i)
    })
  },
}

/** Splits a filter into its words, in lower case. */
function wordsOf(filter: string): readonly string[] {
  return filter.toLowerCase().split(/\s+/).filter(Boolean)
}
