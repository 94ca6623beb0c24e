import type { TurnStart } from '../../../agent/conversation/follow-turns.ts'
import { startDeadline } from '../../../agent/limits/deadline.ts'
import { PipeError } from '../../../error.ts'
import { calledPrompt } from '../../../frontend/own-prompt.ts'
import { readCompact } from '../../../frontend/slash/compact-call.ts'
import type { ReportCall } from '../../../frontend/slash/report-call.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { ControlledConversation } from '../../../line/controlled/controlled-turns.ts'
import { DrivingProgram } from '../../../line/controlled/driving-program.ts'
import type { SentMessage } from '../../../line/controlled/frame.ts'
import { ProgramServers } from '../../../line/controlled/program-servers.ts'
import { runControlled } from '../../../line/controlled/run-controlled.ts'
import type { Outcome } from '../../../line/outcome.ts'
import type { Reporter } from '../../../line/reporter.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { readChoices, readPermissionTool, readToolLimits } from '../../choices.ts'
import { type Flags, usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { closedOutput } from '../../standard-output.ts'
import type { Wired } from '../../wiring/wired.ts'
import { wire } from '../../wiring/wiring.ts'
import { openChildren } from '../child-conversation.ts'
import { driveWired } from '../driven.ts'
import type { AskedAnswer } from '../message/asked-answer.ts'
import { createComposer } from '../message/message-composer.ts'
import { ownCommands, refuseScreenCommand, reportCalledBy } from '../message/own-commands.ts'
import { prepareMessage } from '../message/prepare-message.ts'
import { withModelNote } from '../message/run-prompt.ts'
import { instructionNotes } from '../screen/environment-info.ts'
import { readInitialize } from './initialize.ts'
import { peerReporter, type ReportedConversation } from './peer-reporter.ts'
import { programControls } from './program-controls.ts'
import { isPeerProtocol } from './protocol.ts'
import { ownWords, peerWords } from './tool-words.ts'

/** Runs a conversation that a program drives by lines on stdin. `--max-time` limits all of it. */
export async function controlled(context: RunContext): Promise<Outcome> {
  const { host, flags, interruption, signal } = context
  const { clock, stderr, stdout, startedMs } = host
  requireFlags(context)
  const reported: ReportedConversation = { givenIds: new Map() }
  const isPeer = isPeerProtocol(flags)
  const program = new DrivingProgram({
    write: (line) => stdout.write(`${printableJson(line)}\n`),
    newId: () => host.newId.message(),
  })
  const servers = new ProgramServers(program)
  return runControlled({
    input: process.stdin,
    stopInput: () => process.stdin.destroy(),
    program,
    words: isPeer ? peerWords(host) : ownWords,
    asksProgram: asksProgram(flags),
    reporter: isPeer ? peerReporter(context, reported) : await ownReporter(context),
    stderr,
    quiet: flags.has('quiet'),
    clock,
    interruption,
    startDeadline: () =>
      startDeadline(clock, flags.duration('max-time'), signal, clock.monotonic() - startedMs),
    open: (initialize, until) => open(initialize, { ...context, signal: until, reported, program, servers }),
  })
}

/** Whether the program is asked when a permission is needed. */
function asksProgram(flags: Flags): boolean {
  return flags.text('permission-prompt-tool') === 'stdio' && flags.text('permission-prompts') !== 'none'
}

/** Throws `usage` for flags that do not go with a program on stdin, and `internal` if nothing could be told to it. */
function requireFlags({ host, flags }: RunContext): void {
  if (flags.format !== 'stream-json') throw usageError('--input-format stream-json needs -o stream-json')
  readPermissionTool(flags)
  if (host.stdout === closedOutput)
    throw new PipeError('internal', 'cannot write the output: stdout is closed')
}

async function ownReporter({ host }: RunContext): Promise<Reporter> {
  const { streamJsonReporter } = await import('../../../line/stream-json.ts')
  return streamJsonReporter(host.stdout)
}

interface Opening extends RunContext {
  readonly reported: ReportedConversation
  readonly program: DrivingProgram
  readonly servers: ProgramServers
}

async function open(initialize: JsonObject | undefined, opening: Opening): Promise<ControlledConversation> {
  const { host, signal, reported } = opening
  const own = readChoices(opening.flags, false)
  const { flags, choices, warnings } = readInitialize(initialize, { ...opening, own })
  const asked = flags.asksForPart
    ? (await import('../message/asked-answer.ts')).readAskedAnswer({ host, flags })
    : undefined
  const wired = await wire({
    machine: host,
    choices: {
      ...own,
      ...readToolLimits(flags),
      ...choices,
      onAsk: asksProgram(flags) ? 'ask' : 'deny',
      demands: asked?.demands(),
    },
    children: openChildren,
    signal,
  })
  reported.wired = wired
  try {
    return conversationOf(wired, { ...opening, initialize, flags, asked, warnings })
  } catch (error) {
    await wired.close()
    throw error
  }
}

function conversationOf(
  wired: Wired,
  opening: Opening & {
    readonly initialize: JsonObject | undefined
    readonly asked: AskedAnswer | undefined
    readonly warnings: readonly string[]
  },
): ControlledConversation {
  const { host, flags, asked, reported, warnings } = opening
  const conversation = driveWired(wired, { machine: host })
  const compose = composer(wired, { host, files: flags.all('file'), asked })
  const instructions = instructionNotes(host, wired)
  return {
    conversation,
    header: { sessionId: wired.sessionId, model: wired.model(), cwd: host.cwd },
    warnings: [...warnings, ...wired.warnings, ...instructions.warnings],
    notices: wired.notices,
    form: asked?.form,
    controls: programControls(wired, { ...opening, conversation }),
    compose: async (sent, signal) => {
      const message = await compose(sent, signal)
      if (sent.id !== undefined && message.type === 'user') reported.givenIds.set(message.id, sent.id)
      return message
    },
    close: () => conversation.close(),
  }
}

/** Composes the messages of a program. Its commands are those of the user. */
function composer(
  wired: Wired,
  {
    host,
    files,
    asked,
  }: Pick<Opening, 'host'> & {
    readonly files: readonly string[]
    readonly asked: AskedAnswer | undefined
  },
): (sent: SentMessage, signal: AbortSignal) => Promise<TurnStart | ReportCall> {
  const { cwd, home } = host
  const compose = createComposer(wired, files, host)
  return async ({ text, media, isVerbatim, fault }, signal) => {
    if (fault !== undefined) throw new PipeError('input', fault)
    const command = isVerbatim ? undefined : (readCompact(text) ?? (await reportCalledBy(text)))
    if (command !== undefined) return command
    const called =
      !isVerbatim && text.startsWith('/') ? calledPrompt(text, ownCommands(wired, { cwd, home })) : undefined
    const prompt = called ?? text
    if (!isVerbatim) await refuseScreenCommand(prompt, wired, { cwd, home })
    const note = isVerbatim ? undefined : await prepareMessage(prompt, wired, signal)
    if (note !== undefined) host.warn(note)
    const message = withModelNote(compose(prompt, { isVerbatim }), asked?.instruction)
    return media.length === 0 ? message : { ...message, content: [...message.content, ...media] }
  }
}
