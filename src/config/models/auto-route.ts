/** Describes the first message of a run, as far as it decides the route. */
export interface FirstRequest {
  /** The user's own words. */
  readonly text: string
  /** Whether files or input come with it. */
  readonly hasAttachments: boolean
}

/** The route that answers a run, and the reason. */
export interface AutoRoute {
  readonly route: 'fast' | 'strong'
  readonly reason: string
}

/** Characters up to which a request counts as short. */
const shortLength = 500

/** Words that ask for more than a quick answer. */
const hardWords =
  /\b(?:architect|debug|design|fix|implement|migrat|optimi[sz]|prov|refactor|review|rewrit|secur)\w*|\b(?:plan|why)\b/iu

/**
 * Chooses the route for a request: `strong` if it comes with files or input, is longer than 500 characters, or has a word that asks for
 * more than a quick answer; else `fast`.
 */
export function autoRoute({ text, hasAttachments }: FirstRequest): AutoRoute {
  if (hasAttachments) return { route: 'strong', reason: 'files or input come with the request' }
  if (text.trim().length > shortLength) return { route: 'strong', reason: 'the request is long' }
  const [word] = hardWords.exec(text) ?? []
  if (word !== undefined) return { route: 'strong', reason: `the request says ${word.toLowerCase()}` }
  return { route: 'fast', reason: 'the request is short' }
}
