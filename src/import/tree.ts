import { unreachable } from '../error.ts'
import type { ContentBlock } from '../message.ts'
import type {
  AttachedEntry,
  ImportEntry,
  ReplyEntry,
  ResultEntry,
  SummaryEntry,
  UserEntry,
} from './import-entry.ts'
import type { LeaveOut } from './left-out.ts'

/** A message of the conversation. A reply has all its parts and the results of its calls. */
export interface Node {
  readonly parent: Node | undefined
  readonly entry: UserEntry | ReplyEntry | SummaryEntry
  readonly parts: ReplyEntry[]
  readonly results: CallResult[]
  /** Files that were attached to it. */
  readonly attached: ContentBlock[]
  /** For a summary: the last message that it replaced. */
  readonly replaced?: Node | undefined
}

export interface CallResult {
  readonly entry: ResultEntry
  readonly toolName: string
}

interface Call {
  readonly node: Node
  readonly toolName: string
  isAnswered: boolean
}

/** Joins entries to a tree of messages. Results belong to the reply that made the call, wherever they stand in the file. */
export class Tree {
  /** In the order of the file: each after its parent. */
  readonly nodes: Node[] = []
  readonly #byId = new Map<string, Node | undefined>()
  readonly #replies = new Map<string, Node>()
  readonly #calls = new Map<string, Call>()
  readonly #leaveOut: LeaveOut
  #last: Node | undefined

  constructor(leaveOut: LeaveOut) {
    this.#leaveOut = leaveOut
  }

  /** The message at which the conversation stands. */
  get head(): Node | undefined {
    return this.#last
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  add(entry: ImportEntry): void {
    if (this.#byId.has(entry.id)) {
      this.#leaveOut('repeated lines')
      return
    }
    const parent = this.#parentOf(entry)
    switch (entry.type) {
      case 'result':
        this.#byId.set(entry.id, this.#addResult(entry) ?? parent)
        return
      case 'reply':
        this.#move(entry.id, this.#addReply(entry, parent))
        return
      case 'user':
      case 'summary':
        this.#move(entry.id, this.#addNode(entry, parent))
        return
      case 'attached':
        this.#attach(entry, parent)
        this.#move(entry.id, parent)
        return
      case 'link':
        this.#move(entry.id, parent)
        return
      default:
        unreachable(entry)
    }
  }

  #parentOf({ parent }: ImportEntry): Node | undefined {
    if (parent === null) return undefined
    // A line that was lost hides the place of those that follow it.
    return this.#byId.has(parent) ? this.#byId.get(parent) : this.#last
  }

  #move(id: string, node: Node | undefined): void {
    this.#byId.set(id, node)
    this.#last = node
  }

  #addNode(entry: Node['entry'], parent: Node | undefined): Node {
    const kept = entry.type === 'summary' ? this.#byId.get(entry.keptFrom ?? '') : undefined
    const node = {
      parent,
      entry,
      parts: [],
      results: [],
      attached: [],
      replaced: kept === undefined ? parent : keptAfter(kept),
    }
    this.nodes.push(node)
    return node
  }

  #addReply(entry: ReplyEntry, parent: Node | undefined): Node {
    const node = this.#replies.get(entry.replyId) ?? this.#addNode(entry, parent)
    this.#replies.set(entry.replyId, node)
    node.parts.push(entry)
    for (const block of entry.content)
      if (block.type === 'tool_call')
        this.#calls.set(block.id, { node, toolName: block.name, isAnswered: false })
    return node
  }

  #attach({ content }: AttachedEntry, node: Node | undefined): void {
    if (node === undefined || node.entry.type === 'reply') this.#leaveOut('attached files without a prompt')
    else node.attached.push(...content)
  }

  /** Returns the reply that made the call. */
  #addResult(entry: ResultEntry): Node | undefined {
    const call = this.#calls.get(entry.toolCallId)
    if (call === undefined || call.isAnswered) {
      this.#leaveOut(call === undefined ? 'results without a call' : 'second results of a call')
      return call?.node
    }
    call.isAnswered = true
    call.node.results.push({ entry, toolName: call.toolName })
    return call.node
  }
}

/** Returns the last message that a summary replaced; none if it keeps an earlier summary too. */
function keptAfter(kept: Node): Node | undefined {
  return kept.entry.type === 'summary' ? undefined : kept.parent
}
