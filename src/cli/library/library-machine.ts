import { PipeError } from '../../error.ts'
import { noCheckpoints } from '../../history/checkpoint.ts'
import { readMachine, realFolder } from '../host.ts'
import type { Machine } from '../machine.ts'
import { systemClock } from '../system-clock.ts'
import type { ForeignParts } from '../wiring/wire-context.ts'
import { containArtifacts } from './foreign/foreign-artifacts.ts'
import { containStore } from './foreign/foreign-store.ts'
import { containTools } from './foreign/foreign-tools.ts'
import type { ConversationOptions } from './library-options.ts'

/** Reads the machine for a caller of the library. Warnings go to `warnings` and the caller. Throws `usage` for folders that are none. */
export function readLibraryMachine(
  {
    env = process.env,
    cwd = process.cwd(),
    folders = [],
    onWarning,
  }: Pick<ConversationOptions, 'env' | 'cwd' | 'folders' | 'onWarning'>,
  warnings: string[],
  packageFolder: () => string = unknownFolder,
): Machine {
  return {
    ...readMachine(env),
    cwd: realFolder(cwd, `cwd ${cwd}`),
    added: folders.map((folder) => realFolder(folder, `folders ${folder}`)),
    warn: (line) => {
      warnings.push(line)
      onWarning?.(line)
    },
    packageFolder,
  }
}

/** Returns the parts of a conversation that a caller brings, so that their faults end a call or a turn and nothing else. */
export function foreignParts({
  store,
  tools,
  artifacts,
}: Pick<ConversationOptions, 'store' | 'tools' | 'artifacts'>): ForeignParts {
  return {
    // Nothing on the disk changes that could be undone.
    ...(artifacts && { artifacts: containArtifacts(artifacts, systemClock), checkpoints: noCheckpoints }),
    store: store && containStore(store),
    tools: tools && containTools(tools, systemClock),
  }
}

/** Only conversations need files of the package. */
function unknownFolder(): never {
  throw new PipeError('internal', 'the folder of the package is unknown here')
}
