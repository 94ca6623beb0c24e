import * as z from 'zod'

/** Rows of one list, by default and at most. */
const usual = 50
const most = 500

const taken = { error: `expected a whole number from 1 to ${most}` }

/** The length of a list, in a query. */
export const listLimit = z.coerce.number(taken).int(taken).min(1, taken).max(most, taken).default(usual)
