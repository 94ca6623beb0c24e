import { isPipeError, PipeError, throwIfAborted } from '../../../error.ts'
import { newMessage } from '../../../history/new-message.ts'
import type { JsonObject } from '../../../json-value.ts'
import { manifestField, type UserMessage } from '../../../message.ts'
import type { OpenConversation } from '../../../open-conversation.ts'
import { diverged } from '../../../replay/divergence.ts'
import { printWarning } from '../../../terminal/output.ts'
import { driveWired } from '../../run/driven.ts'
import { readableContextFiles } from '../../run/message/run-prompt.ts'
import type { RunContext } from '../../run-context.ts'
import { openSessions } from '../../wiring/session-records.ts'
import type { Wired } from '../../wiring/wired.ts'
import { wire } from '../../wiring/wiring.ts'
import { chooseAgain, storeWithoutFolders } from './again.ts'
import { requireNoDrift } from './drift.ts'
import { type Driven, drive } from './drive.ts'
import { printReport } from './print-report.ts'
import { loadRecording, type Recording, recordedModel, splitTurns } from './recorded-session.ts'
import { chooseFolder } from './replay-folder.ts'
import { compare } from './replay-report.ts'
import { type ReplayTools, replayToolset } from './replay-toolset.ts'

/**
 * Replays a session and prints how it compares. Throws `check` where an offline replay differs, and the error that
 * ended a turn.
 */
export async function replay(id: string, given: RunContext): Promise<void> {
  const recording = await loadRecording(id, given)
  const host = { ...given.host, cwd: await chooseFolder(recording.session, given), added: [] }
  const context = { ...given, host }
  const { signal } = context
  const opened: ReplayTools[] = []
  const wired = await wire({
    machine: host,
    choices: chooseAgain(recording, context),
    parts: { store: storeWithoutFolders(openSessions(host)) },
    toolset: replayToolset(recording, (tools) => opened.push(tools)),
    children: () => startsNone,
    signal,
  })
  try {
    const [tools] = opened
    if (tools === undefined) throw new Error('the tools were not opened')
    for (const warning of wired.warnings) printWarning(host, warning)
    const contextFiles = readableContextFiles({ ...wired, machine: host })
    const manifest = wired.manifest({ contextFiles })
    if (context.flags.has('locked')) {
      const unattended = wired.manifest({ contextFiles }, 'unattended')
      requireNoDrift(recording, { attended: manifest, unattended }, context)
    }
    const driven = await run(recording, { wired, tools, manifest, context })
    throwIfAborted(signal)
    const { conversation, sessionId } = wired
    const replayed = splitTurns(conversation.engine.history)
    printReport(await compare(recording, { driven, replayed, tools, sessionId }), driven, context)
    if (driven.divergence !== undefined) throw divergenceError(driven.divergence)
    if (driven.error !== undefined) throw driven.error
  } finally {
    await wired.close()
  }
}

function divergenceError({ turn, round, ...what }: NonNullable<Driven['divergence']>): PipeError {
  const { code, message, details } = diverged(what)
  return new PipeError(code, `turn ${turn}, round ${round}: ${message}`, {
    details: { ...details, turn: String(turn), round: String(round) },
  })
}

interface Running {
  readonly wired: Wired
  readonly tools: ReplayTools
  readonly manifest: JsonObject
  readonly context: RunContext
}

function run(recording: Recording, { wired, tools, manifest, context }: Running): Promise<Driven> {
  const { session, turns, isOffline } = recording
  const { host, flags, signal } = context
  const conversation = driveWired(wired, { machine: host })
  let model = wired.model()
  let isFirst = true
  return drive({
    conversation,
    turns,
    isOffline,
    signal,
    again: (message) => {
      const more = isFirst ? { [manifestField]: JSON.stringify(manifest) } : {}
      isFirst = false
      return copyOf(message, { host, metadata: { replay_of: `${session.id}@${message.id}`, ...more } })
    },
    onTurn: async (at) => {
      if (tools.live !== undefined) tools.live.turn = at
      if (host.stderr.isTerminal && !flags.has('quiet'))
        printWarning(host, `replaying turn ${at + 1} of ${turns.length}`)
      const next = recordedModel(session, turns[at])
      if (isOffline || flags.has('model') || next === undefined || next === model) return undefined
      try {
        await conversation.setModel(next)
      } catch (error) {
        if (isPipeError(error)) return error
        throw error
      }
      model = next
      return undefined
    },
  })
}

/** Returns a message of the user as a new one. */
function copyOf(
  { content, metadata = {} }: UserMessage,
  {
    host,
    metadata: more,
  }: Pick<RunContext, 'host'> & { readonly metadata: Readonly<Record<string, string>> },
): UserMessage {
  const { [manifestField]: _, ...kept } = metadata
  return { type: 'user', ...newMessage(host), content, metadata: { ...kept, ...more } }
}

/** The model sees the tool `elf` as it did then. Its results come from the record. */
const startsNone: OpenConversation = () => Promise.reject(new PipeError('tool', 'a replay starts no elves'))
