import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { builtinServers } from '../../../config/models/servers.ts'
import { saveSetting } from '../../../config/save.ts'
import { failureOf, type PipeError } from '../../../error.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readOwnSettings } from '../../choices.ts'
import { lockHolder } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import { onStage } from './open-stage.ts'

/** The result of asking a user how to begin: choices to change, or the exit code of what ran instead. */
export type StartResult = Partial<Choices> | { readonly exitCode: number }

/**
 * Asks how to begin if no model is usable: with a key, a model on this machine, or the demo. Throws the error that said so if the user
 * leaves, as it lists the commands to use instead.
 */
export async function firstRun(error: PipeError, context: RunContext): Promise<StartResult> {
  const { host, flags, signal } = context
  const { settings } = await readAllSettings(host, readOwnSettings(flags))
  const notes: string[] = []
  const start = await onStage(
    context,
    async (stage) => {
      const { chooseStart } = await import('../../../ink/choices/first-run.ts')
      return chooseStart({
        ...stage,
        title: titleOf(error),
        keyStore: async () =>
          (await import('../../wiring/model/saved-keys.ts')).openKeyStore({ machine: host, settings }),
        localModels: (stop) => findLocal(context, stop),
        localServers: builtinServers
          .filter(({ apiKeyEnv }) => apiKeyEnv === undefined)
          .map(({ name }) => name),
        modelsOf: async (provider) => {
          const hasDefault = builtinServers.some(
            ({ name, defaultModel }) => name === provider && defaultModel !== undefined,
          )
          if (hasDefault) return []
          const { modelsWithKey } = await import('../../wiring/model/listed-models.ts')
          const models = await modelsWithKey(host, settings)
          return models.map(({ name }) => name).filter((name) => name.startsWith(`${provider}/`))
        },
        note: (text) => void notes.push(text),
      })
    },
    settings.tui,
  )
  for (const note of notes) printWarning(host, note)
  switch (start.type) {
    case 'quit':
      throw error
    case 'demo':
      return { exitCode: await (await import('../../commands/demo/demo.ts')).demo(context) }
    case 'key':
      return {}
    case 'model':
      if (!flags.has('model')) {
        const path = join(findDirectories(host.env, host.home).config, 'config.json')
        const failure = await failureOf(saveSetting(path, ['model'], start.name, lockHolder(host, signal)))
        printWarning(
          host,
          failure === undefined
            ? `${start.name} is now your model, saved in ${path}`
            : `${start.name} is the model of this run, but was not saved: ${failure.message}`,
        )
      }
      return { model: start.name }
  }
}

/** Returns the first line of the error if it names what is missing. */
function titleOf({ message, details }: PipeError): string {
  const [first = ''] = message.split('\n')
  return details['field'] === undefined ? 'pipe needs a model to talk to' : first.replace(/: export .*/, '')
}

async function findLocal({ host, flags }: RunContext, signal: AbortSignal) {
  const [{ localChoices }, { openTransport }] = await Promise.all([
    import('../../wiring/model/local-choice.ts'),
    import('../../wiring/model/open-network.ts'),
  ])
  const { settings } = await readAllSettings(host, readOwnSettings(flags))
  const transport = openTransport(host, settings)
  try {
    return await localChoices({ settings, machine: host, transport, signal })
  } finally {
    transport.close()
  }
}
