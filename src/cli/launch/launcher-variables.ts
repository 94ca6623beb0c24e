/** Set by what starts the program: the pid of this process, then the names of signals that its parent set to be ignored. */
export const ignoredVariable = 'PIPE_IGNORED_SIGNALS'

/** Set by what starts the program, if stdout is closed: the pid of this process. */
export const closedVariable = 'PIPE_CLOSED_STDOUT'
