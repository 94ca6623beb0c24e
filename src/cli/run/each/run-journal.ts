import { sha256 } from '../../../files/lazy-crypto.ts'
import { ResultJournal } from '../../../json/result-journal.ts'
import { lockHolder } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import type { WiredMany } from '../../wiring/wire-many.ts'
import type { AskedAnswer } from '../message/asked-answer.ts'
import type { EachFlags } from './each-flags.ts'
import type { RecordMessages } from './record-messages.ts'

interface JournalOfRun extends Pick<RunContext, 'host' | 'flags' | 'signal'> {
  readonly prompt: string | undefined
  readonly options: Pick<EachFlags, 'format' | 'journal'>
  readonly asked: Pick<AskedAnswer, 'instruction'> | undefined
}

/** Holds what a run asks with, once it was read. */
export interface AskedWith {
  readonly choices: Pick<Choices, 'agent' | 'systemPrompt' | 'moreSystemPrompt'>
  readonly many: Pick<WiredMany, 'model' | 'files'>
  readonly messages: Pick<RecordMessages, 'hashFiles'>
}

/** Opens the journal of `--resume-map`, if there is one. Throws as `ResultJournal.open`, and as `hashFiles`. */
export async function openRunJournal(
  given: JournalOfRun,
  asked: AskedWith,
): Promise<ResultJournal | undefined> {
  const { journal } = given.options
  if (journal === undefined) return undefined
  return ResultJournal.open(journal, await aboutOf(given, asked), lockHolder(given.host, given.signal))
}

/** Identifies what is asked about the records by what was read, as a file may change: another prompt has other results. */
async function aboutOf(
  { flags, prompt, options, asked }: JournalOfRun,
  { choices, many, messages }: AskedWith,
): Promise<string> {
  const { agent, systemPrompt, moreSystemPrompt } = choices
  const files = await messages.hashFiles(many.files)
  const answer = [asked?.instruction, flags.text('extract')]
  const parts = [prompt, ...answer, agent, systemPrompt, moreSystemPrompt, many.model]
  return sha256(JSON.stringify([options.format, ...parts.map((part) => part ?? null), files]))
}
