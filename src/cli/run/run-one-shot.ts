import { startDeadline } from '../../agent/limits/deadline.ts'
import type { LocalConversation } from '../../conversation.ts'
import type { Limits } from '../../engine.ts'
import { type OpenRun, runOneShot } from '../../line/one-shot.ts'
import type { Outcome } from '../../line/outcome.ts'
import type { Reporter } from '../../line/reporter.ts'
import { beginsHandOver } from '../../wire/hand-over-mark.ts'
import { readCheckFlags, readChoices, readToolLimits } from '../choices.ts'
import { askOnTerminal } from '../controlling-terminal.ts'
import { usageError } from '../flags.ts'
import type { RunContext } from '../run-context.ts'
import type { Choices } from '../wiring/run-choices.ts'
import type { Wired } from '../wiring/wired.ts'
import { wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import { isPeerProtocol } from './controlled/protocol.ts'
import { driveWired } from './driven.ts'
import type { AskedAnswer } from './message/asked-answer.ts'
import {
  attachesStdin,
  checkInput,
  composeFirstMessage,
  type GivenPrompt,
  isLeftOpen,
  stdinSource,
  waitingFor,
} from './message/first-message.ts'
import { writtenTexts } from './message/own-commands.ts'
import { withModelNote } from './message/run-prompt.ts'
import { hasInput, peekInput } from './message/stdin.ts'
import { callOf, readTemplate, requireTemplate } from './message/template.ts'
import type { PatchWork } from './patch-work.ts'
import { instructionNotes } from './screen/environment-info.ts'

export interface PromptRun extends RunContext {
  readonly prompt: string | undefined
  readonly reporter: Reporter
  /** Default: any answer, printed whole. */
  readonly asked?: AskedAnswer | undefined
  /** Gets the parts of the conversation once it is open. Default: nobody needs them. */
  readonly onWired?: ((wired: Wired) => void) | undefined
}

/** Runs one prompt. `--max-time` limits all of it, from the start of the process. */
export function oneShot(run: PromptRun): Promise<Outcome> {
  const { host, flags, reporter, interruption } = run
  const { clock, stderr, startedMs } = host
  return runOneShot({
    reporter,
    stderr,
    clock,
    interruption,
    quiet: flags.has('quiet'),
    askLine: askOnTerminal,
    form: run.asked?.form,
    startDeadline: () => {
      const sinceStartMs = clock.monotonic() - startedMs
      return startDeadline(clock, flags.duration('max-time'), run.signal, sinceStartMs)
    },
    open: (signal) => open({ ...run, signal }),
  })
}

type Given = GivenPrompt & Pick<PromptRun, 'asked' | 'onWired'>

/** Opens the run, with `--patch` on a copy of the project. */
async function open(run: Given): Promise<OpenRun> {
  const template = readTemplate(run.flags)
  const prompt = template === undefined ? run.prompt : callOf(template, run.prompt)
  const given = { ...run, template, prompt }
  checkInput(given)
  if (!given.flags.has('patch')) return openHere(given)
  const { openPatchWork } = await import('./patch-work.ts')
  const work = await openPatchWork(given)
  try {
    const run = await openHere(given, work)
    const close = () => run.close().finally(() => work.close())
    return { ...run, patch: (isGood) => work.take(isGood), close }
  } catch (error) {
    await work.close()
    throw error
  }
}

async function openHere(given: Given, work?: PatchWork): Promise<OpenRun> {
  const { host, flags, signal, prompt, asked, onWired } = given
  const own = readChoices(flags, false)
  const check = readCheckFlags(flags)
  const brought: { handOver?: Pick<Choices, 'history' | 'limits'>; isLeftOpen?: boolean } = {}
  const wired = await wire({
    machine: host,
    choices: {
      ...own,
      ...readToolLimits(flags),
      check,
      demands: asked?.demands(),
      params: given.template?.params,
      ...work?.choices,
    },
    chooseBy: async ({ stdin }) => {
      brought.isLeftOpen = stdin === undefined && (await isLeftOpen(given))
      const isOpen = stdin === undefined || flags.text('stdin') === 'envelope'
      const handOver = isOpen && !brought.isLeftOpen ? await handedOver(given, own.limits) : undefined
      if (handOver !== undefined) brought.handOver = handOver
      return handOver ?? { isForData: stdin === 'data' && hasInput() }
    },
    // Elves would work in copies of the copy.
    ...(work === undefined ? { children: openChildren } : { parts: work.parts }),
    signal,
  })
  onWired?.(wired)
  try {
    await work?.begin(wired)
    const { sessionId, warnings, notices, peerSettings } = wired
    if (given.template !== undefined) requireTemplate(given.template, writtenTexts(wired, host))
    const write = flags.format === 'pipe' ? (await import('./run-hand-over.ts')).writeHandOver : undefined
    const conversation = driveWired(wired, { machine: host })
    const composed = await composeFirstMessage(
      {
        ...given,
        host: work?.host ?? host,
        isStdinTaken: brought.handOver !== undefined || brought.isLeftOpen === true,
      },
      wired,
    )
    if (composed !== undefined && composed.type !== 'user' && (asked ?? check) !== undefined)
      throw usageError(
        `${prompt?.trim().split(/\s/)[0]} has no answer to check: drop --check, --json-schema, --yes-no and --extract`,
      )
    const instructions = instructionNotes(host, wired)
    const { taken, ignored } = peerSettings
    const details = [...taken, ...ignored, ...instructions.notices, ...instructions.details]
    // Scripts of the other agent must give this flag for its lines, and may take a word on stderr for an error.
    const isDetailed = flags.has('verbose') && !(isPeerProtocol(flags) && flags.format !== 'text')
    return {
      conversation,
      ...beginning(composed, conversation, asked?.instruction),
      header: { sessionId, model: wired.model(), cwd: host.cwd },
      warnings: [...warnings, ...instructions.warnings],
      notices: isDetailed ? [...notices, ...details] : notices,
      spent: () => wired.spent,
      checked: () => wired.checkVerdict(),
      ...(write !== undefined && {
        envelope: (json) =>
          write(json, {
            machine: host,
            messages: conversation.messages,
            spent: wired.spent,
            limits: (brought.handOver ?? own).limits,
          }),
      }),
      close: () => conversation.close(),
    }
  } catch (error) {
    await wired.close()
    throw error
  }
}

/** Returns what begins the turn, or what answers without one. */
function beginning(
  composed: Awaited<ReturnType<typeof composeFirstMessage>>,
  conversation: LocalConversation,
  instruction: string | undefined,
): Pick<OpenRun, 'start' | 'report'> {
  if (composed?.type === 'report') return { start: undefined, report: composed.of(conversation) }
  return { start: composed?.type === 'user' ? withModelNote(composed, instruction) : composed }
}

/** Takes over the conversation of the pipe before this one, if that is what comes in on stdin. Throws `usage`, `input`, `budget`. */
async function handedOver(
  given: GivenPrompt,
  own: Limits,
): Promise<Pick<Choices, 'history' | 'limits'> | undefined> {
  const { flags } = given
  const isAsked = flags.text('stdin') === 'envelope'
  const session = (['continue', 'resume', 'fork', 'session'] as const).find((name) => flags.has(name))
  if (isAsked && session !== undefined)
    throw usageError(
      `--stdin envelope cannot be combined with --${session}: the envelope holds a conversation`,
    )
  if (!hasInput() || session !== undefined || attachesStdin(flags)) return undefined
  const start = await peekInput(process.stdin, waitingFor(stdinSource, given))
  if (!isAsked && !beginsHandOver(start)) return undefined
  const { takeHandOver, stricterLimits } = await import('./run-hand-over.ts')
  const { messages, budget } = await takeHandOver(given)
  return { history: messages, limits: stricterLimits(own, budget) }
}
