import { startDeadline } from '../../agent/limits/deadline.ts'
import { type OpenRun, runOneShot } from '../../line/one-shot.ts'
import type { Outcome } from '../../line/outcome.ts'
import type { Reporter } from '../../line/reporter.ts'
import { readCheckFlags, readChoices, readToolLimits } from '../choices.ts'
import { askOnTerminal } from '../controlling-terminal.ts'
import type { RunContext } from '../run-context.ts'
import type { Wired } from '../wiring/wired.ts'
import { wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import { driveWired } from './driven.ts'
import type { AskedAnswer } from './message/asked-answer.ts'
import { checkInput, composeFirstMessage, type GivenPrompt } from './message/first-message.ts'
import { withModelNote } from './message/run-prompt.ts'
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
async function open(given: Given): Promise<OpenRun> {
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
  const { host, flags, signal, asked, onWired } = given
  const wired = await wire({
    machine: host,
    choices: {
      ...readChoices(flags, false),
      ...readToolLimits(flags),
      check: readCheckFlags(flags),
      demands: asked?.demands(),
      ...work?.choices,
    },
    // Elves would work in copies of the copy.
    ...(work === undefined ? { children: openChildren } : { parts: work.parts }),
    signal,
  })
  onWired?.(wired)
  try {
    await work?.begin(wired)
    const { sessionId, warnings, notices, peerSettings } = wired
    const conversation = driveWired(wired, { machine: host })
    const composed = await composeFirstMessage({ ...given, host: work?.host ?? host }, wired)
    const message = composed && withModelNote(composed, asked?.instruction)
    const instructions = instructionNotes(host, wired)
    const { taken, ignored } = peerSettings
    const details = [...taken, ...ignored, ...instructions.notices, ...instructions.details]
    return {
      conversation,
      message,
      header: { sessionId, model: wired.model(), cwd: host.cwd },
      warnings: [...warnings, ...instructions.warnings],
      notices: flags.has('verbose') ? [...notices, ...details] : notices,
      spent: () => wired.spent,
      checked: () => wired.checkVerdict(),
      close: () => conversation.close(),
    }
  } catch (error) {
    await wired.close()
    throw error
  }
}
