import type { CommandExit } from '../../machine/running-command.ts'

/** How a command ended, in a few words. */
export function exitText({ exitCode, signal }: CommandExit): string {
  return signal === null ? `exit code ${exitCode}` : `ended by ${signal}`
}
