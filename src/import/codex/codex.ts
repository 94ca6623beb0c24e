import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { count, object, text } from '../../wire/json-fields.ts'
import type { Format, FormatReader } from '../agent-format.ts'
import type { ReplyEntry } from '../import-entry.ts'
import { agentNotes, nameInFile } from '../left-out.ts'
import type { SessionDraft } from '../session-draft.ts'
import { readCompaction } from './codex-compaction.ts'
import {
  isContext,
  isReport,
  readCodexCall,
  readOutput,
  readReasoning,
  readReport,
  readShown,
  splitRequest,
} from './content.ts'

/**
 * Sessions of Codex: lines with a `type` and a `payload`, in one sequence; in its first versions the bare payloads of `response_item`.
 * A rollback drops the last turns. Events repeat what the items say, for the screen.
 */
export const codex: Format = {
  agent: 'Codex',
  recognises: (line) => {
    const isItem = text(line['type']) !== '' && object(line['payload']) !== undefined
    return isItem || line['record_type'] === 'state' || isBareHeader(line) || isBareMessage(line)
  },
  open: (draft) => new Reader(draft),
}

function isBareHeader(line: JsonObject): boolean {
  return line['type'] === undefined && text(line['id']) !== '' && 'instructions' in line
}

function isBareMessage({ type, role, content }: JsonObject): boolean {
  return type === 'message' && text(role) !== '' && Array.isArray(content)
}

/** Events that only repeat what items say, or keep account of the work. */
const repeating =
  /^(user_message|agent_message|agent_reasoning\w*|task_\w+|turn_\w+|context_compacted|\w+_end|item_\w+|thread_settings_applied|sub_agent_activity)$/

/** Lines and items that keep account of the work. */
const bookkeeping = /^(token_usage_record|world_state|additional_tools|inter_agent_communication_metadata)$/

class Reader implements FormatReader {
  readonly #draft: SessionDraft
  readonly #leaveOut: SessionDraft['leaveOut']
  #provider = 'openai'
  #model: string | undefined
  #timestamp = ''
  /** Counts entries, as they have no ids. */
  #count = 0
  #last: string | null = null
  /** The entry before each turn. */
  readonly #turns: (string | null)[] = []
  #reply = 0
  /** Whether the next item goes on with the last reply. */
  #isReplying = false
  /** Whether the next tokens are those of the last reply. */
  #awaitsUsage = false
  /** A summary as the model wrote it, until the compaction that holds it. */
  #summary: JsonObject | undefined

  constructor(draft: SessionDraft) {
    this.#draft = draft
    this.#leaveOut = draft.leaveOut
  }

  read(line: JsonObject): void {
    this.#timestamp = text(line['timestamp']) || this.#timestamp
    const payload = object(line['payload'])
    if (payload === undefined) this.#readBare(line)
    else this.#readTyped(text(line['type']), payload, line)
  }

  end(): void {
    if (this.#summary !== undefined) this.#leaveOut('summaries that replaced nothing')
  }

  #readBare(line: JsonObject): void {
    if (isBareHeader(line)) this.#readMeta(line)
    else if (line['record_type'] === undefined) this.#readItem(line)
  }

  #readTyped(type: string, payload: JsonObject, line: JsonObject): void {
    switch (type) {
      case 'session_meta':
        this.#readMeta(payload)
        return
      case 'turn_context':
        this.#model = text(payload['model']) || this.#model
        this.#draft.cwd ??= text(payload['cwd']) || undefined
        return
      case 'response_item':
        if (object(line['metadata'])?.['compaction_output'] === true) this.#holdSummary(payload)
        else this.#readItem(payload)
        return
      case 'compacted':
        this.#readCompaction(payload)
        return
      case 'event_msg':
        this.#readEvent(text(payload['type']), payload)
        return
      default:
        if (!bookkeeping.test(type)) this.#leaveOut(`${nameInFile(type, 'untyped')} lines`)
    }
  }

  /** The first one counts: a fork repeats that of its source. */
  #readMeta(meta: JsonObject): void {
    const draft = this.#draft
    if (draft.sourceId !== undefined) return
    draft.sourceId = text(meta['id']) || undefined
    draft.cwd ??= text(meta['cwd']) || undefined
    draft.isOfSubAgent = object(meta['source'])?.['subagent'] !== undefined
    this.#provider = text(meta['model_provider']) || this.#provider
    if (object(meta['base_instructions']) !== undefined || text(meta['instructions']) !== '')
      this.#leaveOut('instructions of the agent')
  }

  #readItem(item: JsonObject): void {
    const type = text(item['type'])
    switch (type) {
      case 'message':
        this.#readMessage(item)
        return
      case 'reasoning':
        this.#addReply({ content: readReasoning(item, this.#leaveOut) })
        return
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call': {
        const call = readCodexCall(item)
        if (call === undefined) this.#leaveOut('calls without an id')
        else this.#addReply({ content: [call] })
        return
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#isReplying = false
        this.#draft.add({ type: 'result', ...this.#place(), ...readOutput(item, this.#leaveOut) })
        return
      case 'agent_message':
        this.#addReport(readReport(item, this.#leaveOut))
        return
      default:
        if (!bookkeeping.test(type)) this.#leaveOut(`${nameInFile(type, 'untyped')} items`)
    }
  }

  #readMessage(item: JsonObject): void {
    const content = readShown(item['content'], this.#leaveOut)
    switch (item['role']) {
      case 'assistant':
        this.#addReply({ content })
        return
      case 'user': {
        this.#readUser(content)
        return
      }
      default:
        this.#leaveOut('instructions of the agent')
    }
  }

  #readUser(content: readonly ContentBlock[]): void {
    const reports = content.filter((block) => block.type === 'text' && isReport(block.text))
    const said = content.filter((block) => block.type !== 'text' || !isContext(block.text))
    const notes = content.length - said.length - reports.length
    if (notes > 0) this.#leaveOut(agentNotes, notes)
    this.#addReport(reports)
    if (said.length === 0) return
    this.#endReply()
    this.#turns.push(this.#last)
    this.#draft.add({ type: 'user', ...this.#place(), ...splitRequest(said) })
  }

  /** Adds what a sub-agent reported. */
  #addReport(content: readonly ContentBlock[]): void {
    if (content.length === 0) return
    this.#endReply()
    this.#draft.add({ type: 'user', ...this.#place(), content, isReport: true })
  }

  /** The reply to the request for a summary is no part of the conversation. */
  #holdSummary(item: JsonObject): void {
    this.#endReply()
    this.#summary = item
  }

  #readCompaction(compaction: JsonObject): void {
    this.#endReply()
    this.#summary = undefined
    const { summary, prompts, isEncrypted } = readCompaction(compaction, this.#leaveOut)
    if (summary !== '') this.#draft.add({ type: 'summary', ...this.#place(), text: summary, prompts })
    else this.#leaveOut(isEncrypted ? 'encrypted summaries' : 'compactions without a summary')
  }

  #readEvent(type: string, event: JsonObject): void {
    switch (type) {
      case 'token_count':
        this.#readUsage(object(object(event['info'])?.['last_token_usage']))
        return
      case 'thread_name_updated':
        this.#draft.title = text(event['thread_name']) || this.#draft.title
        return
      case 'thread_rolled_back':
        this.#rollBack(count(event['num_turns']) ?? 0)
        return
      default:
        if (!repeating.test(type)) this.#leaveOut(`${nameInFile(type, 'untyped')} events`)
    }
  }

  /** Reads the tokens of the reply just read. Codex repeats them when it begins a turn. */
  #readUsage(usage: JsonObject | undefined): void {
    if (usage === undefined || !this.#awaitsUsage) return
    this.#awaitsUsage = false
    const [cacheReadTokens, reasoningTokens] = [
      count(usage['cached_input_tokens']) ?? 0,
      count(usage['reasoning_output_tokens']) ?? 0,
    ]
    this.#addPart({
      content: [],
      usage: {
        inputTokens: count(usage['input_tokens']) ?? 0,
        outputTokens: count(usage['output_tokens']) ?? 0,
        cacheReadTokens,
        reasoningTokens,
        raw: usage,
      },
    })
  }

  #rollBack(turns: number): void {
    this.#endReply()
    const [from] = turns === 0 ? [] : this.#turns.splice(-Math.min(turns, this.#turns.length))
    if (from !== undefined) this.#last = from
  }

  /** Adds to the current reply, or begins one. */
  #addReply(part: Pick<ReplyEntry, 'content'>): void {
    if (!this.#isReplying) this.#reply++
    this.#isReplying = true
    this.#awaitsUsage = true
    this.#addPart(part)
  }

  #endReply(): void {
    this.#isReplying = false
    this.#awaitsUsage = false
  }

  #addPart(part: Pick<ReplyEntry, 'content' | 'usage'>): void {
    const provider = this.#provider
    const spoken = this.#model === undefined ? { provider } : { provider, model: this.#model }
    this.#draft.add({ type: 'reply', ...this.#place(), replyId: String(this.#reply), ...spoken, ...part })
  }

  /** Returns the place after the last entry. */
  #place() {
    const parent = this.#last
    this.#last = String(++this.#count)
    return { id: this.#last, parent, timestamp: this.#timestamp }
  }
}
