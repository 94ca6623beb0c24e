/** Levels of detail for a run's audit log. */
export const auditDetails = ['off', 'metadata', 'full', 'thoughts'] as const

/** Uses of stdin: data for the prompt, the prompt itself, or not read. */
export const stdinUses = ['data', 'prompt', 'none'] as const

/** Decides what follows when a hook itself fails: all goes on as without it, or its subject is refused. */
export const hookFailures = ['continue', 'block'] as const

/** The themes of the screen. `auto` follows the terminal. */
export const screenThemes = ['auto', 'dark', 'light', 'ansi', 'none'] as const

/** The way to tell a user who looks elsewhere. `auto` follows the terminal. */
export const notifications = ['auto', 'bell', 'off'] as const

/** The keys of the prompt: those of shells and Emacs, or those of vim. */
export const promptKeys = ['emacs', 'vim'] as const

/** Matches the URL of a PostgreSQL database. */
export const databaseUrl = /^postgres(ql)?:\/\/\S+$/

/** Matches a name of a server, alone or with a port. */
export const servedHost = /^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i

/** Matches the origin of a page. */
export const servedOrigin = /^https?:\/\/[^\s/]+$/

/** Matches the ending of a file name. */
export const fileEnding = /^\.[\w+-]{1,20}$/
