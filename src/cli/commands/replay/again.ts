import { withoutNotes } from '../../../agent/calls/answer-calls.ts'
import type { ModelChoice } from '../../../engine.ts'
import type { JsonValue } from '../../../json-value.ts'
import { toolCalls } from '../../../message.ts'
import { thinkingLevels } from '../../../model.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { createRecordedProvider } from '../../../replay/recorded-provider.ts'
import type { RecordedTurn } from '../../../replay/recorded-turns.ts'
import type { SessionStore } from '../../../session.ts'
import { readChoices } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import { manifestOf } from '../../wiring/session/manifest.ts'
import { knownTool } from '../../wiring/tools/known-tools.ts'
import { type Recording, recordedModel } from './recorded-session.ts'

/** Returns the choices of the recorded run, unless flags override them. An offline replay leaves no session and no log. */
export function chooseAgain(recording: Recording, { flags, host }: RunContext): Choices {
  const { session, turns, isOffline } = recording
  const choices = readChoices(flags, false)
  const manifests = turns.map(({ message }) => manifestOf(message)).filter((one) => one !== undefined)
  const [manifest = {}] = manifests
  const again = {
    ...omitUndefined({
      model: recordedModel(session, turns[0]),
      thinking: thinkingLevels.find((level) => level === manifest['thinking']),
      temperature: numberIn(manifest['temperature']),
      maxReplyTokens: numberIn(manifest['max_output_tokens']),
    }),
    ...choices,
    session: { type: 'new' },
    // Offers the tool `ask` if a recorded run had it.
    onAsk: manifests.some((one) => one['asks'] === true) || hasAsked(turns) ? 'ask' : 'deny',
  } as const
  if (!isOffline) return again
  const source = { type: 'flag', name: '--offline' } as const
  return {
    ...again,
    model: recordedChoice(recording, host),
    isSaved: false,
    layers: [...again.layers, { source, settings: { audit: 'off' } }],
  }
}

function numberIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Whether a call was one that needs a user. */
function hasAsked(turns: readonly RecordedTurn[]): boolean {
  return turns.some(({ replies }) =>
    replies.some((reply) => toolCalls(reply).some(({ name }) => knownTool(name)?.needsUser === true)),
  )
}

function recordedChoice({ session, turns }: Recording, { newId, clock }: RunContext['host']): ModelChoice {
  const [name = '', ...rest] = (recordedModel(session, turns[0]) ?? 'replay/unknown').split('/')
  const id = rest.join('/')
  return {
    provider: createRecordedProvider({ name, turns, withoutNotes, newId, clock }),
    model: id,
    info: { provider: name, id, price: { input: 0, output: 0 } },
  }
}

/** Stores sessions without their folders, so that `-c` does not continue a replay. */
export function storeWithoutFolders(store: SessionStore): SessionStore {
  return {
    create: ({ cwd: _, ...session }, options) => store.create(session, options),
    open: (id, options) => store.open(id, options),
    load: (id, options) => store.load(id, options),
    find: (beginning, options) => store.find(beginning, options),
    list: (options) => store.list(options),
  }
}
