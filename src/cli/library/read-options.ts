import type { SchemaDemand } from '../../answers/schema-demand.ts'
import type { Layer } from '../../config/layers.ts'
import { checkSettings } from '../../config/settings.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { AnswerDemand } from '../../turn-hooks.ts'
import { systemClock } from '../system-clock.ts'
import type { Choices } from '../wiring/run-choices.ts'
import { containChoice } from './foreign/foreign-provider.ts'
import type { ConversationOptions } from './library-options.ts'

/** Names the caller in errors about its settings. */
const origin = 'openConversation'

/** Reads the choices of a conversation from its options. `schema`: what the answers must fit. Throws `config` for invalid settings. */
export async function readOptions(options: ConversationOptions, schema?: AnswerDemand): Promise<Choices> {
  const { session = { type: 'new' }, limits = {}, onQuestion } = options
  const { model: given, thinking, systemPrompt, moreSystemPrompt, maxReplyTokens, temperature } = options
  const model = typeof given === 'object' ? containChoice(given, systemClock) : given
  const isSaved = session.type !== 'unsaved'
  return {
    layers: await readLayers(options),
    trusts: options.trust ?? false,
    session: isSaved ? session : { type: 'new' },
    isSaved,
    limits,
    demands: schema === undefined ? [] : [schema],
    onAsk: options.onAsk ?? (onQuestion === undefined ? 'deny' : 'ask'),
    interactive: true,
    mayAskForTitle: false,
    model,
    agent: options.agent,
    thinking,
    systemPrompt,
    moreSystemPrompt,
    maxReplyTokens,
    temperature,
  }
}

async function readLayers({
  settings = {},
  permissions,
  model,
}: ConversationOptions): Promise<readonly Layer[]> {
  const source = { type: 'flag', name: origin } as const
  const given = [
    settings,
    ...(permissions === undefined ? [] : [{ permissions: omitUndefined(permissions) }]),
  ]
  const layers = given.map(async (one) => ({ source, settings: await checkSettings(one, origin) }))
  const own = typeof model === 'string' ? [{ source, settings: { model } }] : []
  return [...(await Promise.all(layers)), ...own]
}

/** Opens the demand of a schema; most conversations load nothing for it. Throws `input` for one that is not valid. */
export async function openSchema({ jsonSchema }: ConversationOptions): Promise<SchemaDemand | undefined> {
  if (jsonSchema === undefined) return undefined
  const [{ SchemaDemand }, { shortSchema }] = await Promise.all([
    import('../../answers/schema-demand.ts'),
    import('../../answers/short-schema.ts'),
  ])
  return new SchemaDemand(typeof jsonSchema === 'string' ? shortSchema(jsonSchema) : jsonSchema)
}
