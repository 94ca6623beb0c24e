import { relative } from 'node:path'
import type { EnvironmentInfo } from '../../../frontend/conversation-view.ts'
import { belowHome, isWithin } from '../../../machine/path.ts'
import type { Machine } from '../../machine.ts'
import { version } from '../../version.ts'
import type { Wired } from '../../wiring/wired.ts'
import { readableContextFiles, readInstructions } from '../message/run-prompt.ts'

/** Returns the facts that the head of a conversation shows. */
export function environmentInfo(
  machine: Machine,
  { config, mayRead }: Pick<Wired, 'config' | 'mayRead'>,
): EnvironmentInfo {
  const { cwd, home } = machine
  const files = readableContextFiles({ config, mayRead, machine })
  return {
    version,
    folder: belowHome(cwd, home),
    instructions: files.map(({ path }) => shortName(path, { cwd, home })),
  }
}

/** Says which instructions the model does not get, or not as a whole: warnings where a file is at fault, else notices. */
export function instructionNotes(
  machine: Pick<Machine, 'cwd' | 'home'>,
  { config, mayRead }: Pick<Wired, 'config' | 'mayRead'>,
): { readonly warnings: readonly string[]; readonly notices: readonly string[] } {
  const { faults } = readInstructions({ config, mayRead, machine })
  const noteOf = ({ path, what }: (typeof faults)[number]) => `${shortName(path, machine)} ${what}`
  return {
    warnings: faults.filter((one) => one.isBroken).map(noteOf),
    notices: faults.filter((one) => !one.isBroken).map(noteOf),
  }
}

/** Names a file by its path in the working folder, or below the home folder with `~`. */
function shortName(path: string, { cwd, home }: Pick<Machine, 'cwd' | 'home'>): string {
  return isWithin(path, cwd) ? relative(cwd, path) : belowHome(path, home)
}
