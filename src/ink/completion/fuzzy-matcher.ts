import { single } from 'fuzzysort'
import { type Matcher, wordMatcher } from '../picker/matcher.ts'

/** A worse match is one of letters that happen to be there. */
const leastScore = 0.2

/** Finds the items whose label has the letters of the filter in their order, or that contain every word. Best where letters meet. */
export const fuzzyMatcher: Matcher = {
  rank: (text, filter) => {
    const match = single(filter, text.label)
    if (match !== null && match.score >= leastScore) return match.score
    return wordMatcher.rank(text, filter)
  },
  marks: (label, filter) => {
    const match = single(filter, label)
    return match !== null && match.score >= leastScore ? match.indexes : wordMatcher.marks(label, filter)
  },
}
