/** Says which command of the shell a name means: `/memory`, `/plugins`. `undefined` if none. */
export function shellHint(name: string, shellCommands: readonly string[]): string | undefined {
  const shell = shellCommands.find((one) => name === one || name === `${one}s`)
  return shell === undefined ? undefined : `run pipe ${shell} in a shell`
}
