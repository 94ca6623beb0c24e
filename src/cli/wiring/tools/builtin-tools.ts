import { createBuiltinExecutor } from '../../../builtin/builtin-executor.ts'
import { childEnvironment } from '../../../builtin/command/child-env.ts'
import type { BuiltinOptions } from '../../../builtin/workspace.ts'
import type { Settings } from '../../../config/settings.ts'
import { createAttributes } from '../../../files/walk/attributes.ts'
import { createDiskStore } from '../../../files/writing/disk-store.ts'
import type { ArtifactStore } from '../../../machine/artifact.ts'
import type { ToolExecutor } from '../../../tool.ts'
import type { Machine } from '../../machine.ts'
import { userAgent } from '../../version.ts'
import { keyVariables } from '../model/chosen-server.ts'

/** Tool options of a run besides the machine and the settings. */
export type GivenTools = Pick<
  BuiltinOptions,
  | 'earlier'
  | 'env'
  | 'commands'
  | 'sandbox'
  | 'processes'
  | 'transport'
  | 'spillDir'
  | 'onTimeout'
  | 'mayRead'
  | 'interactive'
  | 'recall'
  | 'tasks'
  | 'memories'
  | 'format'
> & {
  /** Wraps the store of files on this machine. */
  readonly around: (artifacts: ArtifactStore) => ArtifactStore
  /** Files that are elsewhere. Default: those of this machine. */
  readonly elsewhere?: ArtifactStore | undefined
}

/** Creates the built-in tools of a run. */
export function createBuiltinTools(
  { clock, cwd, home, newId, platform }: Machine,
  settings: Settings,
  { around, elsewhere, ...given }: GivenTools,
): ToolExecutor {
  const open = settings.fetch?.allow_private ?? []
  // Only Linux's tar reports attributes.
  const attributes = platform === 'linux' ? createAttributes(given.commands, given.env) : undefined
  return createBuiltinExecutor({
    ...given,
    clock,
    cwd,
    home,
    newId,
    artifacts: elsewhere ?? around(createDiskStore(attributes)),
    isElsewhere: elsewhere !== undefined,
    userAgent,
    allowPrivateAddresses: (host) => open.includes(host),
  })
}

/** The environment of commands: without likely secrets and the providers' keys. */
export function commandEnvironment(
  env: Machine['env'],
  settings: Settings,
): Readonly<Record<string, string>> {
  const { env_drop: drop = [], env_keep: keep } = settings.bash ?? {}
  return childEnvironment(env, { drop: [...drop, ...keyVariables(settings)], keep })
}
