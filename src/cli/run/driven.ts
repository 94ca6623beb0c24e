import { Driver } from '../../agent/conversation/driver.ts'
import type { KeptQueue } from '../../agent/conversation/waiting-messages.ts'
import type { AnswerQuestion } from '../../conversation.ts'
import { type ModelChoice, modelName } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import { requireLevel } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { requireMode } from '../../permission.ts'
import type { Machine } from '../machine.ts'
import type { Wired } from '../wiring/wired.ts'
import { goTo } from './go-to.ts'

export interface DrivenOptions {
  readonly machine: Machine
  /** As `DriverOptions`. */
  readonly queue?: KeptQueue | undefined
  readonly leavesQueue?: boolean | undefined
  readonly onQuestion?: AnswerQuestion | undefined
  /** Guards against the provider of a model. Default: none is foreign. */
  readonly contain?: ((choice: ModelChoice) => ModelChoice) | undefined
}

/** Puts a wired conversation behind its one door. Closing that closes all parts. */
export function driveWired(
  wired: Wired,
  { machine, contain = (choice) => choice, ...options }: DrivenOptions,
): Driver {
  const { conversation, policy } = wired
  const { engine } = conversation
  return new Driver(
    { engine, close: () => wired.close() },
    {
      ...options,
      sessionId: wired.sessionId,
      hooks: wired.hooks,
      elves: wired.elves,
      settings: {
        current: () => ({
          model: wired.model(),
          ...omitUndefined({ thinking: wired.thinking.level() }),
          mode: policy.mode,
        }),
        setModel: async (name) => {
          // Callers in JavaScript may give a choice, as `openConversation` takes it.
          if (typeof name !== 'string')
            throw new PipeError(
              'usage',
              'setModel takes a name such as "provider/model", or the name of a route',
            )
          const choice = contain(await wired.openModel(name))
          engine.send({ type: 'set_model', choice })
          return modelName(choice)
        },
        setThinking: async (level) => wired.thinking.set(requireLevel(level, wired.thinking.levels())),
        setMode: (mode) => {
          requireMode(mode)
          policy.mode = mode
          return wired.noteOfMode(mode)
        },
      },
      goTo: (message, going) => goTo(message, { ...going, machine, wired }),
    },
  )
}
