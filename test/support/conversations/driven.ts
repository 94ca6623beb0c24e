import { Driver } from '../../../src/agent/conversation/driver.ts'
import type { DriverOptions } from '../../../src/agent/conversation/driver-options.ts'
import type { OpenEngine } from '../../../src/agent/open-engine.ts'
import type { ConversationSettings } from '../../../src/conversation.ts'

/** Puts an engine behind the one door of a conversation, with settings that can be changed to anything. */
export function driven(
  open: Pick<OpenEngine, 'engine' | 'close'>,
  options: Partial<DriverOptions> = {},
): Driver {
  let current: ConversationSettings = { model: 'replay/script', mode: 'default' }
  return new Driver(open, {
    sessionId: undefined,
    settings: {
      current: () => current,
      setModel: async (model) => {
        current = { ...current, model }
        return model
      },
      setThinking: async (thinking) => {
        current = { ...current, thinking }
      },
      setMode: async (mode) => {
        current = { ...current, mode }
        return undefined
      },
    },
    ...options,
  })
}
