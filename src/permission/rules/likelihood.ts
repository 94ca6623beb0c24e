export type Likelihood = 'yes' | 'maybe' | 'no'

/** The likeliest answer; `no` for an empty list. */
export function likeliest(answers: readonly Likelihood[]): Likelihood {
  if (answers.includes('yes')) return 'yes'
  return answers.includes('maybe') ? 'maybe' : 'no'
}

/** The least likely answer; `yes` for an empty list. */
export function leastLikely(answers: readonly Likelihood[]): Likelihood {
  if (answers.includes('no')) return 'no'
  return answers.includes('maybe') ? 'maybe' : 'yes'
}
