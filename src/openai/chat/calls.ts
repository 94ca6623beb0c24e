import type { AdapterEvent } from '../../accumulator.ts'
import { isPlainId } from '../../call-ids.ts'
import { count, jsonText, object, saysNone, text } from '../../http/dialect/json-fields.ts'
import { ReplyCallIds } from '../../http/dialect/reply-call-ids.ts'
import type { NewId } from '../../id.ts'
import { type JsonObject, parseJson } from '../../json-value.ts'
import type { ProviderData } from '../../message.ts'
import { present } from '../../present.ts'

interface Call {
  /** The server's id, empty where it gave none. */
  wireId: string
  /** Ours: the server's where it is the first with it, else made up. Empty until the call has begun. */
  id: string
  /** As far as it has come. */
  name: string
  /** The arguments received so far, while they are still examined. */
  args: string
  /** Whether it was said to have none, which what follows may take back. */
  isEmpty: boolean
  /** What the server adds to it and wants back (Gemini's signatures). */
  extra: JsonObject | undefined
}

/** Puts the calls of one reply together, from all the ways in which servers take them apart. */
export class ToolCalls {
  readonly #ids: ReplyCallIds
  /** In lower case: models are not strict about it. */
  readonly #tools: readonly string[]
  readonly #byIndex = new Map<number, Call>()
  readonly #all: Call[] = []

  /** `tools` are the names of those that the model may call. */
  constructor(newId: NewId, tools: readonly string[]) {
    this.#ids = new ReplyCallIds(newId)
    this.#tools = tools.map((tool) => tool.toLowerCase())
  }

  get any(): boolean {
    return this.#all.length > 0
  }

  /** One entry of a delta's `tool_calls`: `{index?, id?, function: {name?, arguments?}}`. */
  read(entry: JsonObject, into: AdapterEvent[]): void {
    const called = object(entry['function'])
    const name = text(called?.['name'])
    const given = jsonText(called?.['arguments'])
    const call = this.#find(entry, name, given) ?? this.#add(entry, into)
    const isEmpty = call.args === '' && saysNone(given)
    const delta = isEmpty ? '' : given
    call.isEmpty ||= isEmpty
    if (call.id === '' || call.args.length <= longestRead) call.args += delta
    call.extra = object(entry['extra_content']) ?? call.extra
    if (call.id !== '') {
      into.push({ type: 'tool_call_delta', id: call.id, delta })
      return
    }
    // Some servers send it in pieces, some as far as it has come with every piece.
    call.name = name.startsWith(call.name) ? name : call.name + name
    if (call.name !== '' && (call.args !== '' || call.isEmpty || !this.#isPiece(call.name)))
      this.#begin(call, into)
  }

  /**
   * The reply is over: begins the calls that still wait for their name, or for more of it. `keep` makes what goes with a call that
   * its server wants back as it was.
   */
  end(into: AdapterEvent[], keep: (data: JsonObject) => ProviderData): void {
    for (const call of this.#all) {
      if (call.id === '') this.#begin(call, into)
      const { id, extra } = call
      if (extra !== undefined || !isPlainId(id))
        into.push({ type: 'block_meta', id, providerData: keep(present({ extra_content: extra })) })
    }
  }

  /** Whether more of a name is to come: no tool has it, and it is how one's begins. */
  #isPiece(name: string): boolean {
    const said = name.toLowerCase()
    return !this.#tools.includes(said) && this.#tools.some((tool) => tool.startsWith(said))
  }

  #begin(call: Call, into: AdapterEvent[]): void {
    call.id = this.#ids.begin(call.wireId)
    into.push({ type: 'tool_call_begin', id: call.id, name: call.name })
    into.push({ type: 'tool_call_delta', id: call.id, delta: call.args })
  }

  /** The call that an entry goes on with: the one with its index, without an index the last. */
  #find(entry: JsonObject, name: string, given: string): Call | undefined {
    const wireId = text(entry['id'])
    const index = count(entry['index'])
    const known = index === undefined ? this.#all.at(-1) : this.#byIndex.get(index)
    if (known === undefined || !goesOn(known, wireId, name, given)) return undefined
    known.wireId ||= wireId
    return known
  }

  /** A new call. No more comes of the name of the one before it. */
  #add(entry: JsonObject, into: AdapterEvent[]): Call {
    const last = this.#all.at(-1)
    if (last?.id === '' && last.name !== '') this.#begin(last, into)
    const call: Call = {
      wireId: text(entry['id']),
      id: '',
      name: '',
      args: '',
      isEmpty: false,
      extra: undefined,
    }
    const index = count(entry['index'])
    this.#all.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }
}

/**
 * Whether an entry goes on with a call. Some servers give every delta an id of its own, some repeat the name with each, some have one
 * index for all calls: an entry with a name begins another call where this one cannot go on.
 */
function goesOn(call: Call, wireId: string, name: string, given: string): boolean {
  if (name === '' || (wireId !== '' && wireId === call.wireId)) return true
  const isOther = wireId !== '' && call.wireId !== ''
  if (call.id === '') return !isOther
  if (!call.name.endsWith(name)) return false
  if (call.args !== '' && !isWhole(call.args)) return true
  return !isOther && (given === '' || (call.args === '' && !call.isEmpty))
}

/** Skips longer arguments, because the check runs for every delta that repeats the name. */
const longestRead = 100_000

/** Checks the last character first, for the same reason. */
function isWhole(args: string): boolean {
  return args.length <= longestRead && args.trimEnd().endsWith('}') && parseJson(args) !== undefined
}
