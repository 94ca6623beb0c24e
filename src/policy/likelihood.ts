export type Likelihood = 'yes' | 'maybe' | 'no'

/** The likeliest of these answers; `no` where there are none. */
export function likeliest(answers: readonly Likelihood[]): Likelihood {
  if (answers.includes('yes')) return 'yes'
  return answers.includes('maybe') ? 'maybe' : 'no'
}

/** The least likely of these answers; `yes` where there are none. */
export function leastLikely(answers: readonly Likelihood[]): Likelihood {
  if (answers.includes('no')) return 'no'
  return answers.includes('maybe') ? 'maybe' : 'yes'
}
