/** Limits that no line written by hand reaches. What lies past them counts as unknown. */
export const mostRounds = 8
export const mostScripts = 400
/** Nesting of scripts: each may come from a variable that another one set. */
export const deepest = 100
/** Words of nested commands, counted every time they are found. */
export const mostWords = 200_000
/** Commands of a pipe to search, from the last, for what they print. */
export const mostPiped = 3

/** Reasons why it is not known what all runs. */
export const unknowns = {
  tooDeep: 'it nests too many commands',
  tooManyTimes: 'it builds commands from other commands too many times',
  script: 'a shell runs text that is only known when it runs',
} as const
