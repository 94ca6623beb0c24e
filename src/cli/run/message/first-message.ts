import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'
import { withParams } from '../../../frontend/named-places.ts'
import { type Compact, readCompact } from '../../../frontend/slash/compact-call.ts'
import type { ReportCall } from '../../../frontend/slash/report-call.ts'
import type { UserMessage } from '../../../message.ts'
import { type Flags, usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import type { Wired } from '../../wiring/wired.ts'
import { isPeerProtocol } from '../controlled/protocol.ts'
import type { PipedFile } from './attachment.ts'
import { refuseScreenCommand, reportCalledBy, spokenPrompt } from './own-commands.ts'
import { prepareMessage } from './prepare-message.ts'
import { composePrompt, nothingToDo, type PromptParts, withModelNote } from './run-prompt.ts'
import { type Input, removeSpilled } from './spool.ts'
import { hasInput, type InputOptions, type InputSource, peekInput, readInput, staysSilent } from './stdin.ts'
import type { Template } from './template.ts'

export interface GivenPrompt extends Pick<RunContext, 'host' | 'flags' | 'signal'> {
  readonly prompt: string | undefined
  /** Stdin was read already. Default: no. */
  readonly isStdinTaken?: boolean
  /** The template that the prompt calls. */
  readonly template?: Template | undefined
}

/** Rejects bad input early, before a slow start. Throws `usage`, `input`. */
export function checkInput(given: Pick<GivenPrompt, 'flags' | 'prompt'>): void {
  const { flags } = given
  readLimits(flags)
  const isIgnored = flags.text('stdin') === 'none'
  if (isIgnored && flags.has('require-stdin'))
    throw usageError('--require-stdin cannot be combined with --stdin none')
  if (isIgnored && attachesStdin(flags)) throw usageError('-f - cannot be combined with --stdin none')
  if (!hasInput() && attachesStdin(flags)) throw new PipeError('input', 'cannot attach -: stdin has no input')
  if (hasNoPrompt(given) && !mayContinue(flags)) throw nothingToDo()
}

/** Whether stdin has anything in it. Waits for its first bytes and leaves them there. Throws `input`, `aborted`. */
export async function bringsData(given: Pick<GivenPrompt, 'host' | 'flags' | 'signal'>): Promise<boolean> {
  if (given.flags.text('stdin') === 'none' || !hasInput()) return false
  return (await peekInput(process.stdin, waitingFor(stdinSource, given))) !== ''
}

/** Scripts of another agent expect this wait for the first byte of stdin beside a prompt. */
const peerPatienceMs = 3_000

/**
 * Whether the script of another agent left stdin open beside its prompt, and sends nothing: programs that start an agent often do. Such a
 * run goes on without stdin, unless a flag is about it. Throws `aborted`.
 */
export async function isLeftOpen({ host, flags, prompt, signal }: GivenPrompt): Promise<boolean> {
  const asked = (['stdin', 'require-stdin', 'stdin-first-byte', 'stdin-idle'] as const).some((name) =>
    flags.has(name),
  )
  if (prompt === undefined || asked || attachesStdin(flags) || !isPeerProtocol(flags) || !hasInput())
    return false
  if (!(await staysSilent(process.stdin, { ms: peerPatienceMs, clock: host.clock, signal }))) return false
  process.stdin.destroy()
  if (!flags.has('quiet'))
    host.warn(
      `stdin sent nothing for ${peerPatienceMs / 1_000} s and is ignored; --stdin-first-byte 10m waits longer, </dev/null avoids the wait`,
    )
  return true
}

/** Whether neither words nor stdin say what to do. */
function hasNoPrompt({ flags, prompt }: Pick<GivenPrompt, 'flags' | 'prompt'>): boolean {
  return prompt === undefined && (flags.text('stdin') === 'none' || !hasInput())
}

/** Whether the session may have open questions, which need no prompt. */
function mayContinue(flags: Flags): boolean {
  return flags.has('continue') || flags.has('resume') || flags.has('session')
}

/** Builds the first message, or reads a command; none if the run only answers the open questions of its session. Throws as `readFirstMessage`. */
export async function composeFirstMessage(
  given: GivenPrompt,
  wired: Wired,
): Promise<UserMessage | Compact | ReportCall | undefined> {
  if (!hasNoPrompt(given)) return readFirstMessage(given, wired)
  if (wired.conversation.engine.canResume) return undefined
  throw nothingToDo()
}

/** Builds the first message from stdin, the prompt, and the files and pipes of `-f`. Throws `usage`, `input`, `aborted`. */
async function readFirstMessage(
  given: GivenPrompt,
  wired: Wired,
): Promise<UserMessage | Compact | ReportCall> {
  const sources = await readSources(given, wired)
  try {
    const report = await reportCalledBy(given.prompt)
    if (report !== undefined) {
      requireNothingElse(given, sources)
      return report
    }
    const compact = readCompact(given.prompt)
    if (compact !== undefined) {
      requireNothingElse(given, sources)
      if (wired.conversation.engine.canResume)
        throw new PipeError(
          'input',
          '/compact waits for the open questions of the session: answer them first',
        )
      return compact
    }
    const prompt = filledPrompt(given, wired)
    await refuseScreenCommand(prompt, wired, given.host)
    const note = await prepareMessage(prompt, wired, given.signal)
    if (note !== undefined) given.host.warn(note)
    return composeFirst(given, sources, wired)
  } catch (error) {
    await sources.discard()
    throw error
  }
}

/** Refuses what a command would leave unread. Throws `usage`. */
function requireNothingElse(
  { prompt = '' }: Pick<GivenPrompt, 'prompt'>,
  { input = { type: 'empty' }, files }: Pick<Sources, 'input' | 'files'>,
): void {
  if (input.type === 'empty' && files.length === 0) return
  const [command] = prompt.trim().split(/\s/)
  throw usageError(`${command} takes no files and no input: drop -f, and add --stdin none to ignore stdin`)
}

/** Input that comes with a prompt. It can be read only once. */
export interface Sources extends Pick<PromptParts, 'input' | 'stdinUse' | 'files'> {
  /** Removes the files to which much input was written. */
  discard(): Promise<void>
}

/** Reads stdin and the pipes of `-f`. Throws `input`, `aborted`. */
export async function readSources(
  given: GivenPrompt,
  { files, stdin }: Pick<Wired, 'files' | 'stdin'>,
): Promise<Sources> {
  const { flags } = given
  const reader = new Reader(given, files)
  try {
    const isAttached = attachesStdin(flags)
    const isRead = given.isStdinTaken !== true && (isAttached || stdin !== 'none') && hasInput()
    const input = isRead ? await reader.read(() => process.stdin, stdinSource) : undefined
    if (
      flags.has('require-stdin') &&
      given.isStdinTaken !== true &&
      (input === undefined || input.type === 'empty')
    )
      throw new PipeError('input', 'stdin is empty, but --require-stdin needs input')
    return {
      input,
      stdinUse: isAttached ? 'data' : stdin === 'none' ? undefined : stdin,
      files: await readPipes(given, reader),
      discard: () => reader.discard(),
    }
  } catch (error) {
    await reader.discard()
    throw error
  }
}

/** Composes the first message of a conversation. Throws `input`. */
export function composeFirst(
  { host, prompt, template }: Pick<GivenPrompt, 'host' | 'prompt' | 'template'>,
  { input, stdinUse, files }: Omit<Sources, 'discard'>,
  wired: Wired,
): UserMessage {
  const { config, mayRead, mayImport, isBare, decide, manifest, memories, fileTurns, agents, firstPrompt } =
    wired
  const given = {
    prompt: prompt && filledPrompt({ host, prompt, template }, wired),
    input,
    stdinUse,
    files,
    config,
  }
  const { mentionedSessions, serverMentions } = wired
  const names = { agents, mentionedSessions, serverMentions, skills: wired }
  const parts = {
    ...given,
    mayRead,
    mayImport,
    isBare,
    machine: { ...host, added: wired.added },
    decide,
    manifest,
    memories,
    names,
    firstPrompt,
  }
  return withModelNote(composePrompt(parts), fileTurns.takeNote())
}

/** Returns the prompt, or what it stands for if it calls a command by its name, with the parameters of a template. */
function filledPrompt(
  { host, prompt = '', template }: Pick<GivenPrompt, 'host' | 'prompt' | 'template'>,
  wired: Wired,
): string {
  const spoken = spokenPrompt(prompt, wired, host)
  // A file whose text follows the message gets them there.
  return withParams(spoken, template?.params)
}

/** Whether `-f -` attaches stdin as data. */
export function attachesStdin(flags: Flags): boolean {
  return flags.all('file').includes('-')
}

function readLimits(flags: Flags): InputOptions['limits'] {
  return {
    firstByteMs: flags.duration('stdin-first-byte'),
    idleMs: flags.duration('stdin-idle'),
  }
}

/** Says how a run waits for input. */
export function waitingFor(
  source: InputSource,
  { host: { clock, stderr }, flags, signal }: Pick<GivenPrompt, 'host' | 'flags' | 'signal'>,
): Omit<InputOptions, 'spillPath'> {
  const hint = (text: string) => {
    if (!flags.has('quiet')) stderr.write(text)
  }
  return { clock, signal, source, limits: readLimits(flags), hint }
}

export const stdinSource: InputSource = {
  name: 'stdin',
  hint: '--stdin none ignores it',
  remedy: '--stdin none runs without it',
}

function pipeSource(path: string): InputSource {
  const advice = 'a program must write to this pipe and close it'
  return { name: `-f ${path}`, hint: advice, remedy: advice }
}

/** Returns the files of `-f` in order. Reads pipes (`<(…)`) now: they can be read only once, and may be slow. */
async function readPipes(
  { host, flags }: GivenPrompt,
  reader: Reader,
): Promise<readonly (string | PipedFile)[]> {
  const files: (string | PipedFile)[] = []
  for (const path of flags.all('file')) {
    if (path === '-') continue
    const full = resolve(host.cwd, path)
    if (!isPipe(full)) {
      files.push(path)
      continue
    }
    const { openPipeSource } = await import('../../../process/pipe-source.ts')
    const open = () => {
      try {
        return openPipeSource(full, { isBun: host.isBun === true })
      } catch (error) {
        throw new PipeError('input', fileError(error, path, 'attach').message, { cause: error })
      }
    }
    files.push({ path, input: await reader.read(open, pipeSource(path)) })
  }
  return files
}

function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO()
  } catch {
    return false
  }
}

/** Reads streams and tracks the files they were written to. */
class Reader {
  readonly #given: GivenPrompt
  readonly #folder: string
  readonly #spilled: string[] = []

  constructor(given: GivenPrompt, folder: string) {
    this.#given = given
    this.#folder = folder
  }

  async read(open: () => Parameters<typeof readInput>[0], source: InputSource): Promise<Input> {
    const spillPath = join(this.#folder, `stdin-${this.#given.host.newId.message()}`)
    const input = await readInput(open(), { ...waitingFor(source, this.#given), spillPath })
    if (input.type === 'spilled') this.#spilled.push(input.path)
    return input
  }

  /** Removes the input files when the run does not start. */
  async discard(): Promise<void> {
    for (const path of this.#spilled) await removeSpilled(path)
  }
}
