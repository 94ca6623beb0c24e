import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { ConversationSettings } from '../conversation.ts'
import type { ThinkingControl } from '../frontend/conversation-view.ts'
import type { OfferedModel } from '../frontend/offered-model.ts'
import { modeWords } from '../frontend/words/mode-words.ts'
import { type PermissionMode, permissionModes } from '../permission.ts'

const named = permissionModes.map((mode) => ({
  mode,
  name: modeWords[mode].short,
  description: modeWords[mode].long,
}))

/** The modes of a conversation. */
export function modeState(current: PermissionMode): SessionModeState {
  return {
    currentModeId: current,
    availableModes: named.map(({ mode, ...words }) => ({ id: mode, ...words })),
  }
}

/** Finds the mode of an id; `undefined` if there is none. */
export function findMode(id: unknown): PermissionMode | undefined {
  return permissionModes.find((mode) => mode === id)
}

export interface Configured {
  readonly settings: ConversationSettings
  readonly models: readonly OfferedModel[]
  readonly thinking: ThinkingControl
}

/** Lists the choices of the user in the editor: mode, model and thinking. */
export function configOptions({ settings, models, thinking }: Configured): SessionConfigOption[] {
  const { model, mode } = settings
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: mode,
      options: named.map(({ mode: value, ...words }) => ({ value, ...words })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: [...new Set([model, ...models.map(({ name }) => name)])].map((name) => ({
        value: name,
        name,
      })),
    },
    ...thinkingOption(thinking),
  ]
}

function thinkingOption(thinking: ThinkingControl): readonly SessionConfigOption[] {
  const levels = thinking.levels() ?? []
  const current = thinking.level() ?? levels[0]
  if (current === undefined || levels.length < 2) return []
  return [
    {
      type: 'select',
      id: 'thinking',
      name: 'Thinking',
      category: 'thought_level',
      currentValue: current,
      options: levels.map((level) => ({ value: level, name: level })),
    },
  ]
}
