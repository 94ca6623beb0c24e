import { messageWithoutTags, replyWithoutTags, resultWithoutTags } from '../characters/tag-characters.ts'
import { isPipeError } from '../error.ts'
import { beforeFirst, isMessageId, type MessageId, type NewId } from '../id.ts'
import {
  asElfReport,
  type ContentBlock,
  type Message,
  resultContent,
  type UserMessage,
  validateMessage,
} from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { noUsage } from '../usage.ts'
import type { EntryPlace, SummaryEntry, UserEntry } from './import-entry.ts'
import type { LeaveOut } from './left-out.ts'
import { textBlock } from './media-blocks.ts'
import type { CallResult, Node, Tree } from './tree.ts'

export interface Making {
  readonly newId: NewId
  /** Milliseconds since 1970. */
  readonly now: number
  readonly leaveOut: LeaveOut
}

export interface Made {
  /** Each after its parent, and each reply before its results. */
  readonly messages: readonly Message[]
  /** The last message of the current branch. Absent if there is no message. */
  readonly head?: MessageId
}

/** Makes the messages of a tree. Leaves out invalid ones; those after them follow what is before. */
export function makeMessages(tree: Tree, making: Making): Made {
  const maker = new Maker(making)
  for (const node of tree.nodes) maker.add(node)
  return { messages: maker.messages, ...omitUndefined({ head: maker.endOf(tree.head) }) }
}

class Maker {
  readonly messages: Message[] = []
  readonly #making: Making
  /** The last message that stands for a node: its last result, itself, or what is before it. */
  readonly #ends = new Map<Node, MessageId | undefined>()
  #time: string

  constructor(making: Making) {
    this.#making = making
    this.#time = new Date(making.now).toISOString()
  }

  endOf(node: Node | undefined): MessageId | undefined {
    return node && this.#ends.get(node)
  }

  add(node: Node): void {
    const parent = this.endOf(node.parent)
    const [first, ...results] = [this.#message(node), ...node.results.map((result) => this.#result(result))]
    if (first === undefined || !this.#isValid(first)) {
      this.#ends.set(node, parent)
      return
    }
    this.messages.push(this.#placed(first, parent), ...results.filter((result) => this.#isValid(result)))
    this.#ends.set(node, this.messages.at(-1)?.id)
  }

  /** Names the parent of a message that does not follow the one before it. */
  #placed(message: Message, parent: MessageId | undefined): Message {
    const before = this.messages.at(-1)?.id
    return parent === before ? message : { ...message, parentId: parent ?? beforeFirst }
  }

  #message(node: Node): Message {
    const { entry } = node
    if (entry.type === 'reply') return this.#reply(node)
    return entry.type === 'summary' ? this.#summary(entry, node) : this.#user(entry, node.attached)
  }

  #user(entry: UserEntry, attached: readonly ContentBlock[]): Message {
    const { content, context = 0, isReport = false } = entry
    const message: UserMessage = {
      type: 'user',
      ...this.#base(entry),
      content: [...attached, ...content],
      ...metadataOf(attached.length + context, {}),
    }
    return messageWithoutTags(isReport ? asElfReport(message) : message)
  }

  #summary(entry: SummaryEntry, { attached, replaced }: Node): Message {
    const through = this.endOf(replaced)
    const { text, prompts = [], keptFrom } = entry
    const kept = prompts.length === 0 ? [] : [textBlock(wordForWord), ...prompts]
    // A summary that replaced nothing here is about a branch that was left.
    const about = through === undefined ? { branch_summary: keptFrom } : { compacted_through: through }
    return messageWithoutTags({
      type: 'user',
      ...this.#base(entry),
      content: [...attached, textBlock(text), ...kept],
      ...metadataOf(attached.length, omitUndefined(about)),
    })
  }

  #reply({ entry, parts }: Node): Message {
    const content = parts.flatMap((part) => part.content)
    const last = <Key extends 'provider' | 'model' | 'stopReason' | 'rawStopReason' | 'usage'>(key: Key) =>
      parts.findLast((part) => part[key] !== undefined)?.[key]
    const calls = content.some(({ type }) => type === 'tool_call')
    return replyWithoutTags({
      type: 'assistant',
      ...this.#base(entry),
      content: content.filter((block) => block.type !== 'text' || block.text !== ''),
      ...omitUndefined({ provider: last('provider'), model: last('model') }),
      stopReason: last('stopReason') ?? (calls ? 'tool_use' : 'end_turn'),
      ...omitUndefined({ rawStopReason: last('rawStopReason') }),
      usage: last('usage') ?? noUsage,
    })
  }

  #result({ entry, toolName }: CallResult): Message {
    const { toolCallId, isError } = entry
    const content = resultContent(entry.content.filter((block) => block.type !== 'text' || block.text !== ''))
    return {
      type: 'tool_result',
      ...this.#base(entry),
      toolCallId,
      toolName,
      ...resultWithoutTags({ content, isError }),
    }
  }

  #base({ id, timestamp }: EntryPlace): Pick<Message, 'id' | 'timestamp'> {
    const ms = Date.parse(timestamp)
    // A clock that was wrong, or a damaged date, must not lose the message.
    if (ms > 0 && ms <= this.#making.now) this.#time = new Date(ms).toISOString()
    return { id: isMessageId(id) ? id : this.#making.newId.message(), timestamp: this.#time }
  }

  #isValid(message: Message): boolean {
    try {
      validateMessage(message, this.#making.now)
      return true
    } catch (error) {
      if (!isPipeError(error)) throw error
      this.#making.leaveOut('empty or invalid messages')
      return false
    }
  }
}

/** Stands between a summary and the user's words in a mark. */
const wordForWord = 'What the user asked before, word for word:'

/** Returns the metadata of a message whose first `context` blocks the agent put there. */
function metadataOf(
  context: number,
  others: Readonly<Record<string, string>>,
): Pick<UserMessage, 'metadata'> {
  const metadata = context === 0 ? others : { context: String(context), ...others }
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}
