import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { list, object, text } from '../../wire/json-fields.ts'
import type { Format, FormatReader } from '../agent-format.ts'
import type { EntryPlace, UserEntry } from '../import-entry.ts'
import { agentNotes, nameInFile } from '../left-out.ts'
import { textBlock } from '../media-blocks.ts'
import type { SessionDraft } from '../session-draft.ts'
import { isBookkeeping, isSetting } from './bookkeeping.ts'
import { readAttached } from './claude-attachment.ts'
import { isOwnOutput, readCommand, readReport, shellAsTyped, withoutReminders } from './claude-prompt.ts'
import { readReply, readResults, readShown } from './content.ts'

/**
 * Sessions of Claude Code: a tree of lines, linked by `parentUuid`. A reply is a line per block, with the results of its calls in
 * between. Lines of sub-agents have `isSidechain`, those written for the model alone `isMeta`.
 */
export const claudeCode: Format = {
  agent: 'Claude Code',
  recognises: (line) =>
    (text(line['sessionId']) !== '' && text(line['type']) !== '') ||
    (line['type'] === 'summary' && text(line['leafUuid']) !== '') ||
    (line['type'] === 'file-history-snapshot' && object(line['snapshot']) !== undefined),
  open: (draft) => new Reader(draft),
}

/** A command of the user's, whose prompt may be on the next line. */
interface Command {
  readonly place: EntryPlace
  readonly words: string
}

class Reader implements FormatReader {
  readonly #draft: SessionDraft
  readonly #leaveOut: SessionDraft['leaveOut']
  #command: Command | undefined
  /** The title that the user gave. The draft has the one that a model gave. */
  #ownTitle: string | undefined
  readonly #summaries: { readonly leaf: string; readonly title: string }[] = []
  /** The first message that the last compaction kept. */
  #keptFrom: string | undefined

  constructor(draft: SessionDraft) {
    this.#draft = draft
    this.#leaveOut = draft.leaveOut
  }

  read(line: JsonObject): void {
    if (line['isSidechain'] === true) {
      this.#leaveOut('lines of sub-agents')
      return
    }
    this.#readFacts(line)
    const id = text(line['uuid'])
    if (id === '') {
      this.#readTitle(line)
      return
    }
    const place = { id, parent: text(line['parentUuid']) || null, timestamp: text(line['timestamp']) }
    if (this.#takesPromptOfCommand(line, place)) return
    this.#dropCommand()
    this.#readPlaced(line, place)
  }

  /** Summaries name the line they are about, as those of other sessions get into a file too. */
  end(): void {
    this.#dropCommand()
    const summary = this.#summaries.findLast(({ leaf }) => this.#draft.tree.has(leaf))
    this.#draft.title = this.#ownTitle ?? this.#draft.title ?? summary?.title
  }

  /** Without a prompt, a command was one of the agent itself, such as `/clear`. */
  #dropCommand(): void {
    if (this.#command === undefined) return
    this.#skip(this.#command.place, 'commands of the agent itself')
    this.#command = undefined
  }

  #readFacts(line: JsonObject): void {
    const draft = this.#draft
    draft.sourceId = text(line['sessionId']) || draft.sourceId
    draft.cwd ??= text(line['cwd']) || undefined
  }

  /** Reads a title. Other lines without an id hold no message. */
  #readTitle(line: JsonObject): void {
    switch (line['type']) {
      case 'custom-title':
        this.#ownTitle = text(line['customTitle']) || this.#ownTitle
        return
      case 'ai-title':
        this.#draft.title = text(line['aiTitle']) || this.#draft.title
        return
      case 'summary':
        this.#summaries.push({ leaf: text(line['leafUuid']), title: text(line['summary']) })
        return
      default:
        if (!isBookkeeping(line)) this.#leaveOut(`${kindOf(line)} lines`)
    }
  }

  #readPlaced(line: JsonObject, place: EntryPlace): void {
    const message = object(line['message']) ?? {}
    switch (line['type']) {
      case 'user':
        this.#readUser(line, message, place)
        return
      case 'assistant':
        if (line['isApiErrorMessage'] === true || message['model'] === '<synthetic>')
          this.#skip(place, 'error messages of the agent')
        else this.#draft.add(readReply(message, place, this.#leaveOut))
        return
      case 'system':
        this.#readSystem(line, place)
        return
      case 'attachment':
        this.#readAttachment(object(line['attachment']) ?? {}, place)
        return
      default:
        this.#skipLine(line, place)
    }
  }

  #readUser(line: JsonObject, message: JsonObject, place: EntryPlace): void {
    const { content = '' } = message
    const words = text(content)
    const command = readCommand(words)
    if (line['isCompactSummary'] === true) {
      const summary = { ...place, ...omitUndefined({ keptFrom: this.#keptFrom }) }
      this.#draft.add({ type: 'summary', ...summary, text: saidIn(readShown(content, this.#leaveOut)) })
    } else if (line['isMeta'] === true) this.#skip(place, agentNotes)
    else if (this.#takesReport(words, place)) return
    else if (isOwnOutput(words)) this.#skip(place, 'outputs of commands of the agent itself')
    else if (command !== undefined) this.#command = { place, words: command }
    else this.#addUser(content, place)
  }

  /** Adds the results of calls that a line holds, then what the user said. The last of them has the line's id. */
  #addUser(content: JsonObject[string], place: EntryPlace): void {
    const results = readResults(content, this.#leaveOut)
    const said = readShown(content, this.#leaveOut).flatMap((block) => this.#cleaned(block))
    const isLast = (i: number) => said.length === 0 && i === results.length - 1
    let { parent } = place
    for (const [i, result] of results.entries()) {
      const id = isLast(i) ? place.id : `${place.id}/${i}`
      this.#draft.add({ type: 'result', ...place, id, parent, ...result })
      parent = id
    }
    if (said.length > 0) this.#draft.add({ type: 'user', ...place, parent, content: said })
    else if (results.length === 0) this.#draft.add({ type: 'link', ...place })
  }

  #cleaned(block: ContentBlock): readonly ContentBlock[] {
    if (block.type !== 'text') return [block]
    const { words, removed } = withoutReminders(block.text)
    if (removed > 0) this.#leaveOut(agentNotes, removed)
    return words === '' ? [] : [textBlock(shellAsTyped(words))]
  }

  /** Adds the prompt of a command as context of the command, as the user did not write it. */
  #takesPromptOfCommand(line: JsonObject, place: EntryPlace): boolean {
    const command = this.#command
    if (command === undefined || line['isMeta'] !== true || place.parent !== command.place.id) return false
    const prompt = readShown(object(line['message'])?.['content'], this.#leaveOut)
    const content = [...prompt, textBlock(command.words)]
    const entry: UserEntry = { type: 'user', ...command.place, content, context: prompt.length }
    this.#draft.add(entry)
    this.#draft.add({ type: 'link', ...place })
    this.#command = undefined
    return true
  }

  #takesReport(words: string, place: EntryPlace): boolean {
    const report = readReport(words)
    if (report === undefined) return false
    this.#draft.add({ type: 'user', ...place, content: [textBlock(report)], isReport: true })
    return true
  }

  /**
   * A compaction begins a new tree, which names the message before it in another field. Where messages were kept, it follows the last of
   * them: the named one may stand before them.
   */
  #readSystem(line: JsonObject, place: EntryPlace): void {
    if (line['subtype'] !== 'compact_boundary') {
      this.#skipLine(line, place)
      return
    }
    const { first, last } = readKept(object(line['compactMetadata']) ?? {})
    this.#keptFrom = first || undefined
    const parent = this.#draft.tree.has(last) ? last : text(line['logicalParentUuid'])
    this.#draft.add({ type: 'link', ...place, parent })
  }

  /** Prompts that were queued while the agent worked are attachments. */
  #readAttachment(attachment: JsonObject, place: EntryPlace): void {
    const prompt = attachment['type'] === 'queued_command' ? attachment['prompt'] : undefined
    const attached = readAttached(attachment, this.#leaveOut)
    if (attached !== undefined) this.#draft.add({ type: 'attached', ...place, content: attached })
    else if (isSetting(attachment)) this.#draft.add({ type: 'link', ...place })
    else if (prompt === undefined) this.#skip(place, `attachments of the type ${kindOf(attachment)}`)
    else if (!this.#takesReport(text(prompt), place)) this.#addUser(prompt, place)
  }

  #skipLine(line: JsonObject, place: EntryPlace): void {
    if (isBookkeeping(line)) this.#draft.add({ type: 'link', ...place })
    else this.#skip(place, `${kindOf(line)} lines`)
  }

  #skip(place: EntryPlace, kind: string): void {
    this.#leaveOut(kind)
    this.#draft.add({ type: 'link', ...place })
  }
}

function kindOf(line: JsonObject): string {
  const subtype = nameInFile(line['subtype'], '')
  return `${nameInFile(line['type'], 'untyped')}${subtype === '' ? '' : `/${subtype}`}`
}

/** Returns the first and the last message that a compaction kept, empty if it kept none. */
function readKept(compaction: JsonObject): { readonly first: string; readonly last: string } {
  const segment = object(compaction['preservedSegment'])
  const listed = list(object(compaction['preservedMessages'])?.['uuids']).map(text)
  return {
    first: text(segment?.['headUuid']) || (listed[0] ?? ''),
    last: text(segment?.['tailUuid']) || (listed.at(-1) ?? ''),
  }
}

function saidIn(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n\n')
}
