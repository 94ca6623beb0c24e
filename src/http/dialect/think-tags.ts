import type { ThinkTagUse } from '../../machine/model-server.ts'
import type { ContentBlock } from '../../message.ts'
import type { AdapterEvent, Revision } from '../../reply/accumulator.ts'

/** Remembers how the servers of one provider behave, by model. A setting overrides it. */
export class ThinkTagHabits {
  readonly #seen = new Map<string, ThinkTagUse>()
  readonly #set: ThinkTagUse | undefined

  constructor(set: ThinkTagUse | undefined) {
    this.#set = set
  }

  /** Begins a reply of a model. */
  begin(model: string): TaggedText {
    const use = this.#set === 'none' ? 'none' : (this.#seen.get(model) ?? this.#set)
    return new TaggedText(use, (seen) => this.#seen.set(model, seen))
  }
}

const opening = /^<think(?:ing)?>/
const closing = /<\/think(?:ing)?>/
/** A closing tag without an opening one: at the end of a line, or right between two sentences. A blank beside it makes it a word of one. */
const closingAlone =
  /(?<=^[^\S\n]*|\S)<\/think(?:ing)?>(?=[^\S\n]*$)|(?<=^[^\S\n]*|[.!?\u2026\u3002\uff01\uff1f])<\/think(?:ing)?>(?=\S)/m
const tags = ['<think>', '<thinking>']
/** Characters, blanks included, in which a reply must begin with a tag. */
const maxStart = 1_000
const closingTags = ['</think>', '</thinking>']

/**
 * The text of one reply, which may begin with its thinking, in tags or with the closing one only. A server known to do so is read tag by
 * tag as the text arrives; another one's reply is revised at its end.
 */
export class TaggedText {
  readonly #use: ThinkTagUse | undefined
  readonly #see: (use: ThinkTagUse) => void
  #at: 'start' | 'thinking' | 'gap' | 'answer'
  /** Text that may be a part of a tag. */
  #held = ''
  /** Whether the server sends thinking in a field of its own, so that tags are a part of the answer. */
  #isApart = false
  /** Whether a tag was read as it came. */
  #isSplit = false

  constructor(use: ThinkTagUse | undefined, see: (use: ThinkTagUse) => void) {
    this.#use = use
    this.#see = see
    this.#at = use === 'both' || use === 'closing' ? 'start' : 'answer'
  }

  /** Reads a piece of thinking that has come in its own field. */
  think(delta: string): readonly AdapterEvent[] {
    if (delta === '') return []
    this.#isApart = true
    return [{ type: 'thinking_delta', id: 'thinking', delta }]
  }

  /** Reads a piece of the text. */
  say(delta: string): readonly AdapterEvent[] {
    if (delta === '') return []
    if (this.#isApart && this.#at === 'start') this.#at = 'answer'
    const text = this.#held + delta
    this.#held = ''
    return this.#read(text)
  }

  /** Returns what is still held at the end of the reply. */
  end(): readonly AdapterEvent[] {
    const text = this.#held
    this.#held = ''
    return this.#at === 'thinking' ? piece('thinking', text) : piece('text', this.#at === 'gap' ? '' : text)
  }

  /** Revises a whole reply whose tags were not read as they came. */
  readonly revise = (content: readonly ContentBlock[]): Revision | undefined => {
    if (this.#isApart || this.#isSplit || this.#use === 'none') return undefined
    if (this.#use === 'closing' && this.#at === 'thinking') return unclosed(content)
    const at = content.findIndex(({ type }) => type === 'text')
    const block = content[at]
    if (block?.type !== 'text') return undefined
    const split = splitThinking(block.text)
    if (split === undefined) return undefined
    const { thinking, answer } = split
    if (split.isHabit) this.#see(split.use)
    const parts: readonly ContentBlock[] = [
      ...(thinking === '' ? [] : [{ type: 'thinking', thinking } as const]),
      ...(answer === '' ? [] : [{ ...block, text: answer }]),
    ]
    return {
      content: [...content.slice(0, at), ...parts, ...content.slice(at + 1)],
      note: { think_tags: split.use },
    }
  }

  #read(text: string): readonly AdapterEvent[] {
    switch (this.#at) {
      case 'start':
        return this.#readStart(text)
      case 'thinking':
        return this.#readThinking(text)
      case 'gap':
        if (text.trim() === '') return []
        this.#at = 'answer'
        return piece('text', text.trimStart())
      default:
        return piece('text', text)
    }
  }

  #readStart(text: string): readonly AdapterEvent[] {
    const begun = text.trimStart()
    if (text.length < maxStart && tags.some((tag) => tag !== begun && tag.startsWith(begun))) {
      this.#held = text
      return []
    }
    const [tag] = opening.exec(begun) ?? []
    this.#isSplit = tag !== undefined
    this.#at = tag !== undefined || this.#use === 'closing' ? 'thinking' : 'answer'
    return this.#read(tag === undefined ? text : begun.slice(tag.length).trimStart())
  }

  #readThinking(text: string): readonly AdapterEvent[] {
    const found = closing.exec(text)
    if (found !== null) {
      this.#at = 'gap'
      this.#isSplit = true
      const before = piece('thinking', text.slice(0, found.index))
      return [...before, ...this.#read(text.slice(found.index + found[0].length))]
    }
    const kept = text.length - partOfTag(text)
    this.#held = text.slice(kept)
    return piece('thinking', text.slice(0, kept))
  }
}

function piece(type: 'text' | 'thinking', delta: string): readonly AdapterEvent[] {
  return delta === '' ? [] : [{ type: `${type}_delta`, id: type, delta }]
}

/** Returns the length of the end of a text that may become a closing tag. */
function partOfTag(text: string): number {
  const at = text.lastIndexOf('<')
  return at >= 0 && closingTags.some((tag) => tag.startsWith(text.slice(at))) ? text.length - at : 0
}

interface Split {
  readonly thinking: string
  readonly answer: string
  readonly use: 'both' | 'closing'
  /** Whether it shows how the model writes. A closing tag inside a line may be a word after all. */
  readonly isHabit: boolean
}

/** Splits a whole text at its tags. A closing tag that is quoted, in code or in a sentence is a part of the answer. */
function splitThinking(text: string): Split | undefined {
  const [tag] = opening.exec(text.trimStart()) ?? []
  const inside = tag === undefined ? text : text.trimStart().slice(tag.length)
  const found = (tag === undefined ? closingAlone : closing).exec(inside)
  if (tag !== undefined && found === null)
    return { thinking: inside.trim(), answer: '', use: 'both', isHabit: true }
  if (found === null || (tag === undefined && isQuoted(inside, found.index))) return undefined
  const after = inside.slice(found.index + found[0].length)
  return {
    thinking: inside.slice(0, found.index).trim(),
    answer: after.trimStart(),
    use: tag === undefined ? 'closing' : 'both',
    isHabit: tag !== undefined || /^[^\S\n]*(?:\n|$)/.test(after),
  }
}

function isQuoted(text: string, at: number): boolean {
  const before = text.slice(0, at)
  if (/<think(?:ing)?>/.test(before) || /["'`\u201c\u2018\u00ab]$/.test(before)) return true
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return before.split('```').length % 2 === 0 || line.split('`').length % 2 === 0
}

/** Returns a reply as text that began as thinking because earlier ones did, but in which no tag came. */
function unclosed(content: readonly ContentBlock[]): Revision | undefined {
  if (content.some(({ type }) => type !== 'thinking')) return undefined
  const text = content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
  return text === '' ? undefined : { content: [{ type: 'text', text }], note: { think_tags: 'none' } }
}
