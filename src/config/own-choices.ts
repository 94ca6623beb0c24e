/** Levels of detail for a run's audit log. */
export const auditDetails = ['off', 'metadata', 'full', 'thoughts'] as const

/** Uses of stdin: data for the prompt, the prompt itself, or not read. */
export const stdinUses = ['data', 'prompt', 'none'] as const

/** Matches the URL of a PostgreSQL database. */
export const databaseUrl = /^postgres(ql)?:\/\/\S+$/
