import { isPlainId } from '../../http/dialect/call-ids.ts'
import { ReplyCallIds } from '../../http/dialect/reply-call-ids.ts'
import type { NewId } from '../../id.ts'
import { type JsonObject, parseJson } from '../../json-value.ts'
import type { ProviderData } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { AdapterEvent } from '../../reply/accumulator.ts'
import { count, isNoArguments, jsonText, object, text } from '../../wire/json-fields.ts'

interface Call {
  /** The server's id; empty if it sent none. */
  wireId: string
  /** Our id: the server's at its first use, else a new one. Empty until the call has begun. */
  id: string
  /** The name received so far. */
  name: string
  /** The arguments received so far, up to the length that is examined. */
  args: string
  /** Whether its arguments were sent as empty. Later ones may follow. */
  isEmpty: boolean
  /** Data that the server adds and wants back (Gemini's signatures). */
  extra: JsonObject | undefined
}

/** Assembles the calls of one reply from the deltas of different servers. */
export class ToolCalls {
  readonly #ids: ReplyCallIds
  /** Tool names in lower case, as models vary it. */
  readonly #tools: readonly string[]
  readonly #byIndex = new Map<number, Call>()
  readonly #all: Call[] = []

  /** `tools` are the names of the available tools. */
  constructor(newId: NewId, tools: readonly string[]) {
    this.#ids = new ReplyCallIds(newId)
    this.#tools = tools.map((tool) => tool.toLowerCase())
  }

  get any(): boolean {
    return this.#all.length > 0
  }

  /** Reads one entry of a delta's `tool_calls`: `{index?, id?, function: {name?, arguments?}}`. */
  read(entry: JsonObject, into: AdapterEvent[]): void {
    const called = object(entry['function'])
    const name = text(called?.['name'])
    const given = jsonText(called?.['arguments'])
    const call = this.#find(entry, name, given) ?? this.#add(entry, into)
    const isEmpty = call.args === '' && isNoArguments(given)
    const delta = isEmpty ? '' : given
    call.isEmpty ||= isEmpty
    if (call.id === '' || call.args.length <= maxChecked) call.args += delta
    call.extra = object(entry['extra_content']) ?? call.extra
    if (call.id !== '') {
      into.push({ type: 'tool_call_delta', id: call.id, delta })
      return
    }
    // Some servers send a name in pieces, others repeat its beginning with each piece.
    call.name = name.startsWith(call.name) ? name : call.name + name
    if (call.name !== '' && (call.args !== '' || call.isEmpty || !this.#isPiece(call.name)))
      this.#begin(call, into)
  }

  /**
   * Ends the reply: begins the calls that still wait for more of their name. `keep` builds the data of a call that its server
   * wants back.
   */
  end(into: AdapterEvent[], keep: (data: JsonObject) => ProviderData): void {
    for (const call of this.#all) {
      if (call.id === '') this.#begin(call, into)
      const { id, extra } = call
      if (extra !== undefined || !isPlainId(id))
        into.push({ type: 'block_meta', id, providerData: keep(omitUndefined({ extra_content: extra })) })
    }
  }

  /** Whether a name is incomplete: no tool has it, but some tool's name begins with it. */
  #isPiece(name: string): boolean {
    const said = name.toLowerCase()
    return !this.#tools.includes(said) && this.#tools.some((tool) => tool.startsWith(said))
  }

  #begin(call: Call, into: AdapterEvent[]): void {
    call.id = this.#ids.begin(call.wireId)
    into.push({ type: 'tool_call_begin', id: call.id, name: call.name })
    into.push({ type: 'tool_call_delta', id: call.id, delta: call.args })
  }

  /** Finds the call that an entry continues: the one with its index; without an index, the one with its id, or the last. */
  #find(entry: JsonObject, name: string, given: string): Call | undefined {
    const wireId = text(entry['id'])
    const index = count(entry['index'])
    const known = index === undefined ? this.#withId(wireId) : this.#byIndex.get(index)
    if (known === undefined || !continuesCall(known, wireId, name, given)) return undefined
    known.wireId ||= wireId
    return known
  }

  #withId(wireId: string): Call | undefined {
    const named = wireId === '' ? undefined : this.#all.findLast((call) => call.wireId === wireId)
    return named ?? this.#all.at(-1)
  }

  /** Adds a call. The name of the one before it is now complete. */
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
 * Whether an entry continues a call. Some servers give each delta its own id, repeat the name in each, or use one index for all
 * calls. An entry with a name begins another call if this one cannot continue.
 */
function continuesCall(call: Call, wireId: string, name: string, given: string): boolean {
  if (name === '' || (wireId !== '' && wireId === call.wireId)) return true
  const isOther = wireId !== '' && call.wireId !== ''
  if (call.id === '') return !isOther
  if (!call.name.endsWith(name)) return false
  if (call.args !== '' && !isWhole(call.args)) return true
  return !isOther && (given === '' || (call.args === '' && !call.isEmpty))
}

/** Skips longer arguments, because the check runs for every delta that repeats the name. */
const maxChecked = 100_000

/** Checks the last character first, for the same reason. */
function isWhole(args: string): boolean {
  return args.length <= maxChecked && args.trimEnd().endsWith('}') && parseJson(args) !== undefined
}
