import { calledPrompt } from '../../../frontend/own-prompt.ts'
import type { UserMessage } from '../../../message.ts'
import type { InputRecord, RecordFormat } from '../../../records/input-record.ts'
import { RecordTemplate } from '../../../records/record-template.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import type { Wired } from '../../wiring/wired.ts'
import type { AskedAnswer } from '../message/asked-answer.ts'
import { readSources, type Sources } from '../message/first-message.ts'
import { ownCommands } from '../message/own-commands.ts'
import { prepareMessage } from '../message/prepare-message.ts'
import { composePrompt, hashAttached, withModelNote } from '../message/run-prompt.ts'

interface RecordPrompt extends Pick<RunContext, 'flags' | 'signal'> {
  readonly prompt: string | undefined
  readonly options: { readonly format: RecordFormat }
  readonly asked: Pick<AskedAnswer, 'instruction'> | undefined
}

/** Composes the message for each record: the environment, the files of `-f`, the prompt, and the record in it or beside it. */
export class RecordMessages {
  readonly #given: RecordPrompt
  readonly #host: Host
  #template: RecordTemplate
  #files: Promise<Sources['files']> | undefined
  #isExpanded = false

  /** Throws `usage` for a prompt with places that records cannot fill. */
  constructor(given: RecordPrompt, host: Host) {
    this.#given = given
    this.#host = host
    this.#template = new RecordTemplate(given.prompt ?? '{}', given.options.format)
  }

  /** Throws `input` if the prompt names a field that is none of these. */
  requireFields(names: readonly string[]): void {
    this.#template.requireFields(names)
  }

  /** Throws `input`, also for a record without a field that the prompt names. */
  async compose(record: InputRecord, wired: Wired, signal: AbortSignal): Promise<UserMessage> {
    const { asked, prompt: given } = this.#given
    this.#expand(wired)
    const template = this.#template
    const prompt = template.fill(record)
    // Without a prompt, the records are what the user says.
    const ownWords = given === undefined ? prompt : template.ownWords(record)
    const note = await prepareMessage(ownWords, wired, signal)
    if (note !== undefined) this.#host.warn(note)
    const { config, mayRead, mayImport, decide, memories, agents, firstPrompt } = wired
    const { mentionedSessions, serverMentions } = wired
    const message = composePrompt({
      prompt,
      ownWords,
      input: template.takesRecord ? undefined : { type: 'whole', bytes: Buffer.from(record.text) },
      stdinUse: 'data',
      files: await this.#readFiles(wired.files),
      config,
      mayRead,
      mayImport,
      decide,
      memories,
      firstPrompt,
      machine: { ...this.#host, added: wired.added },
      names: { agents, mentionedSessions, serverMentions, skills: wired },
    })
    return withModelNote(message, asked?.instruction)
  }

  /** Hashes what `-f` attaches, in order. `folder` takes pipes that bring much. Throws as `compose`. */
  async hashFiles(folder: string): Promise<readonly string[]> {
    const files = await this.#readFiles(folder)
    return files.map((file) => hashAttached(file, this.#host))
  }

  /** Puts what a slash command of the user stands for in its place, once. */
  #expand(wired: Wired): void {
    const { prompt, options } = this.#given
    if (this.#isExpanded) return
    this.#isExpanded = true
    if (prompt?.startsWith('/') !== true) return
    const { cwd, home } = this.#host
    const called = calledPrompt(prompt, ownCommands(wired, { cwd, home }))
    if (called !== undefined) this.#template = new RecordTemplate(called, options.format)
  }

  /** Pipes can be read only once. */
  #readFiles(folder: string): Promise<Sources['files']> {
    const { flags, signal } = this.#given
    if (!flags.has('file')) return none
    this.#files ??= readSources(
      { host: this.#host, flags, signal, prompt: undefined },
      { files: folder, stdin: 'none' },
    ).then(({ files }) => files)
    return this.#files
  }
}

const none: Promise<Sources['files']> = Promise.resolve([])
