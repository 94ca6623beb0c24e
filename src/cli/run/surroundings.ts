import { relative } from 'node:path'
import type { Surroundings } from '../../conversation-view.ts'
import { belowHome, isWithin } from '../../text/path.ts'
import type { Machine } from '../machine.ts'
import { version } from '../version.ts'
import type { Wired } from '../wiring/wiring.ts'
import { readableContextFiles } from './prompt.ts'

/** Returns the facts that the head of a conversation shows. Throws `config` for an instruction file that cannot be read. */
export function surroundingsOf(
  machine: Machine,
  { config, mayRead }: Pick<Wired, 'config' | 'mayRead'>,
): Surroundings {
  const { cwd, home } = machine
  const files = readableContextFiles({ config, mayRead, machine })
  return {
    version,
    folder: belowHome(cwd, home),
    instructions: files.map(({ path }) =>
      isWithin(path, cwd) ? relative(cwd, path) : belowHome(path, home),
    ),
  }
}
